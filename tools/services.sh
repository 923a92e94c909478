#!/bin/sh
# Finds what the tests need besides Python and Node.js. What is missing is installed where that is simple (as root on
# Debian or Ubuntu); elsewhere this says how to get it. With CI set, something missing is a failure.
set -u

found() {
    case $1 in
    chromium)
        [ -n "${CHROMIUM:-}" ] && { echo "$CHROMIUM"; return; }
        command -v chromium || command -v chromium-browser || command -v google-chrome || command -v google-chrome-stable
        ;;
    postgresql) ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | tail -1 | grep . || command -v initdb ;;
    redis-server) command -v redis-server ;;
    esac
}

missing=""
for service in chromium postgresql redis-server; do
    found $service >/dev/null || missing="$missing $service"
done

if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing$missing"
    apt-get update --quiet && DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends $missing
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
