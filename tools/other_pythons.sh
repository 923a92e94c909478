#!/bin/sh
# Runs the rules, the record and the table on every other Python from 3.11 on that this machine has, side by side; the
# whole suite runs on the main one, which is the first argument. A Python on which nothing can be set up is named and
# passed over.
set -u
main=$("$1" -c 'import sys; print("3.%d" % sys.version_info[1])')

found() {
    for candidate in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python3; do
        "$candidate" -c 'import venv, ensurepip' 2>/dev/null && { echo "$candidate"; return; }
    done
    return 1
}

check() {
    place=.venv-$1
    if ! [ "$place/.ready" -nt pyproject.toml ] || ! [ "$place/.ready" -nt constraints.txt ]; then
        "$2" -m venv --clear "$place" &&
            "$place/bin/python" -m pip install --no-compile --quiet --disable-pip-version-check -c constraints.txt \
                -e . pytest pytest-cov hypothesis &&
            touch "$place/.ready" || { echo "Python $1: passed over, it cannot be set up"; return 0; }
    fi
    "$place/bin/python" -m pytest -o cache_dir="$place/.pytest" tests/rules tests/test_record.py tests/test_table.py \
        tests/test_golden.py tests/test_numba_internals.py
}

status=0
running=""
for minor in 11 12 13 14 15; do
    version=3.$minor
    [ "$version" != "$main" ] || continue
    python=$(found "$version") || continue
    echo "Python $version: rules, record, table"
    mkdir -p ".venv-$version"
    check "$version" "$python" >".venv-$version.log" 2>&1 &
    running="$running $version:$!"
done
for one in $running; do
    wait "${one#*:}" || status=1
    sed "s/^/${one%:*}  /" ".venv-${one%:*}.log"
    rm -f ".venv-${one%:*}.log"
done
exit $status
