#!/bin/sh
# Style, types and the quick tests, in less than a minute on two cores. Those of web/ run if something in it was changed.
set -u
bin=${VENV:-.venv}/bin
web=$({ git diff --name-only HEAD; git ls-files --others --exclude-standard; } 2>/dev/null | grep '^web/' | sed 's|^web/||')
tests="tests/rules"
for name in annotations chance clauses contract golden house languages lessons protocol_page readme record refusals \
    series svg table table_manners; do
    tests="$tests tests/test_$name.py"
done
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

part() { # name, command: runs in the background; its output is printed at the end
    name=$1
    shift
    { "$@" >"$results/$name.out" 2>&1; echo $? >"$results/$name.rc"; } &
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
"$bin/pytest" -n 2 --dist loadgroup $tests
status=$?
wait
for name in $parts; do
    cat "$results/$name.out"
    [ "$(cat "$results/$name.rc")" = 0 ] || { echo "make check: $name failed"; status=1; }
done
exit $status
