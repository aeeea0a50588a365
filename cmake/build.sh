#!/usr/bin/env bash
# Configures a preset and builds the named targets (all without names); quiet while it goes well.
# usage: build.sh PRESET [TARGET…]
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
log=build/$preset.log
mkdir -p build
started=$(date +%s)
echo "building ($preset); the log is $log"
if ! { cmake --preset "$preset" "${launcher[@]}" && cmake --build --preset "$preset" ${1:+--target "$@"}; } >"$log" 2>&1; then
  grep -nE -A 3 'error:|FAILED|CMake Error' "$log" | head -40 >&2 || true
  tail -5 "$log" >&2
  exit 1
fi
echo "built in $(($(date +%s) - started)) s"
