#!/bin/sh
# Locates the services that the tests need besides Python and Node.js. Missing ones are installed as root on Debian or
# Ubuntu; elsewhere this prints how to install them. With CI set, a missing service is a failure.
set -u

locate() {
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

install_packages() {
    apt-get update --quiet && DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends "$@"
}

missing=""
for service in chromium postgresql redis-server; do
    locate $service >/dev/null || missing="$missing $service"
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    if [ -n "$missing" ]; then
        echo "Installing$missing"
        install_packages $missing
    fi
    # The headless shell halves the time of the browser tests; the full Chromium works, too.
    light=chromium-headless-shell
    if [ -z "${CHROMIUM:-}" ] && ! command -v $light >/dev/null && apt-cache show $light >/dev/null 2>&1; then
        echo "Installing $light"
        install_packages $light || echo "$light could not be installed: the tests use $(locate chromium)"
    fi
fi

status=0
for service in chromium postgresql redis-server; do
    if path=$(locate $service); then
        echo "$service: $path"
    else
        echo "$service: missing. Debian, Ubuntu: apt-get install $service; macOS: brew install ${service%-server}"
        [ -z "${CI:-}" ] || status=1
    fi
done
exit $status
