#!/usr/bin/env bash
# usage: files.sh SYSTEMD_FOLDER -- the user and the folder come out as meant. 77: systemd's tools are not here.
set -euo pipefail
command -v systemd-sysusers >/dev/null && command -v systemd-tmpfiles >/dev/null ||
  { echo "systemd-sysusers is not installed: skipped"; exit 77; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/etc"
systemd-sysusers --root="$root" "$1/modelwatch.sysusers" >/dev/null
grep -q '^modelwatch:x:[0-9]*:[0-9]*:modelwatch daemon:/var/lib/modelwatch:' "$root/etc/passwd"
[ "$(id -u)" = 0 ] || { echo "not root: the folder is not made"; exit 0; }
systemd-tmpfiles --root="$root" --create "$1/modelwatch.tmpfiles"
group=$(awk -F: '$1 == "modelwatch" {print $3}' "$root/etc/group")
[ "$(stat -c '%a %g' "$root/var/lib/modelwatch")" = "2770 $group" ]
