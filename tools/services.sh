#!/bin/sh
# Finds what the tests need besides Python and Node.js. What is missing is installed where that is simple (as root on
# Debian or Ubuntu); elsewhere this says how to get it. With CI set, something missing is a failure.
set -u

found() {
    case $1 in
    chromium)
        [ -n "${CHROMIUM:-}" ] && { echo "$CHROMIUM"; return; }
        for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
            command -v $name && return
        done
        return 1
        ;;
    postgresql) ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | tail -1 | grep . || command -v initdb ;;
    redis-server) command -v redis-server ;;
    esac
}

installing() {
    apt-get update --quiet && DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends "$@"
}

missing=""
for service in chromium postgresql redis-server; do
    found $service >/dev/null || missing="$missing $service"
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    if [ -n "$missing" ]; then
        echo "Installing$missing"
        installing $missing
    fi
    # Chromium without windows, with which the browser's tests take half the time; the usual one will do, too.
    light=chromium-headless-shell
    if [ -z "${CHROMIUM:-}" ] && ! command -v $light >/dev/null && apt-cache show $light >/dev/null 2>&1; then
        echo "Installing $light"
        installing $light || echo "$light could not be installed: the tests use $(found chromium)"
    fi
fi

status=0
for service in chromium postgresql redis-server; do
    if place=$(found $service); then
        echo "$service: $place"
    else
        echo "$service: missing. Debian, Ubuntu: apt-get install $service; macOS: brew install ${service%-server}"
        [ -z "${CI:-}" ] || status=1
    fi
done
exit $status
