#!/usr/bin/env bash
# Builds the benchmarks and prints every figure beside its limit.
# usage: bench/run.sh [TOKENIZER_JSON]      default: the 33 MB one that tests/real/fetch_inputs.sh fetches
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
cmake/install.sh cmake/packages.txt cmake/bench-packages.txt
cmake/build.sh bench modelwatchd modelwatch pipeline_bench tokenizer_bench
tokenizer=${1-build/dev/real-inputs/gemma3/tokenizer.json}
[ -e "$tokenizer" ] || tests/real/fetch_inputs.sh build/dev/real-inputs || true
build/bench/bench/pipeline_bench build/bench/daemon/modelwatchd
if [ -e "$tokenizer" ]; then
  build/bench/bench/tokenizer_bench "$tokenizer"
else
  echo "skipped: parse of a 33 MB tokenizer.json, the file is not there"
fi
