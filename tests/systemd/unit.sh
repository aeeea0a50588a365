#!/usr/bin/env bash
# usage: unit.sh UNIT.IN MODELWATCHD -- the unit is clean, and hardened to an exposure of at most 1.5 out of 10.
# 77: systemd's tools are not here.
set -euo pipefail
command -v systemd-analyze >/dev/null || { echo "systemd-analyze is not installed: skipped"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unit=$folder/modelwatchd.service
sed "s|@bin_folder@/modelwatchd|$2|; s|@doc_folder@|/usr/share/doc/modelwatch|" "$1" >"$unit"
said=$(systemd-analyze verify "$unit" 2>&1) || { echo "$said"; exit 1; }
# Only what is said of our unit: other units of this machine are not ours to judge.
if grep -F modelwatchd <<<"$said"; then exit 1; fi
systemd-analyze security --offline=yes --threshold=15 --no-pager "$unit" | tail -n 1
