#!/bin/sh
# Runs the rules, the record and the table on every other Python from 3.11 on that this machine has; the whole suite runs
# on the main one, which is the first argument. A Python on which nothing can be set up is named and passed over.
set -u
main=$("$1" -c 'import sys; print("3.%d" % sys.version_info[1])')
status=0
for minor in 11 12 13 14 15; do
    version=3.$minor
    [ "$version" != "$main" ] || continue
    python=""
    for candidate in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python3; do
        if "$candidate" -c 'import venv, ensurepip' 2>/dev/null; then python=$candidate; fi
    done
    [ -n "$python" ] || continue
    place=.venv-$version
    if ! [ "$place/.ready" -nt pyproject.toml ] || ! [ "$place/.ready" -nt constraints.txt ]; then
        echo "Python $version: setting up"
        "$python" -m venv --clear "$place" &&
            "$place/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e . pytest pytest-cov pytest-xdist hypothesis &&
            touch "$place/.ready" || { echo "Python $version: passed over, it cannot be set up"; continue; }
    fi
    echo "Python $version: rules, record, table"
    "$place/bin/python" -m pytest -n 2 --dist loadgroup tests/rules tests/test_record.py tests/test_table.py \
        tests/test_golden.py tests/test_numba_internals.py || status=1
done
exit $status
