#!/usr/bin/env bash
# Runs every libFuzzer target for some seconds over a copy of its corpus; fails at the first finding, whose input is kept.
# usage: run.sh BUILD_DIR [SECONDS (60)] [NAME…]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 seconds=${2:-60}
shift $(($# < 2 ? $# : 2))
names=("$@")
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(ls "$here/corpus")
for name in "${names[@]}"; do
  work=$build/corpus-$name
  mkdir -p "$work"
  cp -n "$here/corpus/$name"/* "$work/"
  echo "== fuzz $name for $seconds s"
  "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
    -artifact_prefix="$build/finding-$name-" -print_final_stats=1 "$work" 2>&1 | tail -n 12 | grep -E 'stat::number_of_executed_units|ERROR|SUMMARY|finding' ||
    { echo "fuzz $name failed; see $build/finding-$name-*" >&2; exit 1; }
done
