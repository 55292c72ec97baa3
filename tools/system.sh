#!/bin/sh
# What the tests need beyond Python packages: a C compiler and Chromium. Installed where this may be
# done (root on Debian or Ubuntu), else said; the tests then go on without.
have() { command -v "$1" >/dev/null 2>&1; }
want=""
have cc || have gcc || have clang || want="$want gcc libc6-dev"
have chromium || have chromium-browser || have google-chrome || want="$want chromium"
[ -z "$want" ] && exit 0
if [ "$(id -u)" = 0 ] && have apt-get; then
  echo "installing:$want"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $want; } >/dev/null 2>&1 \
    || echo "could not install:$want; tests that need it are skipped"
else
  echo "missing:$want; install it for the tests that need it (they are skipped now)"
fi
exit 0
