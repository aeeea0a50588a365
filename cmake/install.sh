#!/usr/bin/env bash
# Installs the Debian packages named in the given lists, as far as they are missing; says what it does.
# usage: install.sh LIST…      LIST: one package a line, '#' starts a comment
set -eu

mapfile -t wanted < <(sed 's/#.*//' "$@" | tr -s '[:space:]' '\n' | sed '/^$/d' | sort -u)
missing=()
for package in "${wanted[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "these Debian packages are missing and there is no apt-get here: ${missing[*]}" >&2
  exit 2
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || { echo "try: as root, apt-get install ${missing[*]}" >&2; exit 2; }
  as_root=(sudo)
fi
echo "installing ${#missing[@]} Debian packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -20 "$log" >&2
  echo "apt-get could not install them; try: apt-get install ${missing[*]}" >&2
  exit 2
fi
