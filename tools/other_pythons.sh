#!/bin/sh
# Runs the tests of the rules, records and tables in parallel on every other Python from 3.11 on that is installed; the
# whole suite runs on the main one, which is the first argument. A Python that cannot be set up is skipped.
set -u
main=$("$1" -c 'import sys; print("3.%d" % sys.version_info[1])')

find_python() {
    for candidate in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python3; do
        "$candidate" -c 'import venv, ensurepip' 2>/dev/null && { echo "$candidate"; return; }
    done
    return 1
}

check() {
    venv=.venv-$1
    if ! [ "$venv/.ready" -nt pyproject.toml ] || ! [ "$venv/.ready" -nt constraints.txt ]; then
        "$2" -m venv --clear "$venv" &&
            "$venv/bin/python" -m pip install --no-compile --quiet --disable-pip-version-check -c constraints.txt \
                -e '.[server]' pytest pytest-cov hypothesis &&
            touch "$venv/.ready" || { echo "Python $1: passed over, it cannot be set up"; return 0; }
    fi
    "$venv/bin/python" -m pytest -o cache_dir="$venv/.pytest" tests/rules tests/test_record.py tests/test_table.py \
        tests/test_golden.py tests/test_numba_internals.py
}

status=0
running=""
for minor in 11 12 13 14 15; do
    version=3.$minor
    [ "$version" != "$main" ] || continue
    python=$(find_python "$version") || continue
    echo "Python $version: rules, record, table"
    mkdir -p ".venv-$version"
    check "$version" "$python" >".venv-$version.log" 2>&1 &
    running="$running $version:$!"
done
for job in $running; do
    wait "${job#*:}" || status=1
    sed "s/^/${job%:*}  /" ".venv-${job%:*}.log"
    rm -f ".venv-${job%:*}.log"
done
exit $status
