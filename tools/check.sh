#!/bin/sh
# Style, types and the tests that matter for what was changed since the last commit, within a minute on two cores.
set -u
bin=${VENV:-.venv}/bin
web=$({ git diff --name-only HEAD; git ls-files --others --exclude-standard; } | grep '^web/' | sed 's|^web/||')
notes=$(mktemp -d)
trap 'rm -rf "$notes"' EXIT

part() { # name, command: runs in the background; its output is printed at the end
    name=$1
    shift
    { "$@" >"$notes/$name.out" 2>&1; echo $? >"$notes/$name.rc"; } &
}

"$bin/ruff" check && "$bin/ruff" format --check --quiet || exit 1
part types "$bin/mypy"
parts=types
if [ -n "$web" ] && [ -d web/node_modules ]; then
    present=$(cd web && for file in $web; do [ ! -f "$file" ] || echo "$file"; done)
    part format sh -c 'cd web && npx prettier --check --ignore-unknown "$@"' check $present
    part components sh -c 'cd web && npm run --silent check'
    part unit sh -c 'cd web && npm run --silent unit'
    parts="types format components unit"
fi
"$bin/pytest" --changed --seconds 40 -n 2 --dist loadgroup
status=$?
[ $status -ne 5 ] || status=0 # nothing to test
wait
for name in $parts; do
    cat "$notes/$name.out"
    [ "$(cat "$notes/$name.rc")" = 0 ] || { echo "make check: $name failed"; status=1; }
done
exit $status
