#!/usr/bin/env bash
# usage: install.sh BUILD_FOLDER -- `cmake --install` puts everything where Debian expects it.
set -euo pipefail
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
DESTDIR=$root cmake --install "$1" --prefix /usr >/dev/null
for file in usr/bin/modelwatch usr/bin/modelwatchd usr/lib/systemd/system/modelwatchd.service \
            usr/lib/sysusers.d/modelwatch.conf usr/lib/tmpfiles.d/modelwatch.conf \
            usr/share/doc/modelwatch/examples/modelwatch.toml; do
  [ -s "$root/$file" ] || { echo "missing: /$file"; exit 1; }
done
grep -qx 'ExecStart=/usr/bin/modelwatchd' "$root/usr/lib/systemd/system/modelwatchd.service"
"$root/usr/bin/modelwatchd" --version
