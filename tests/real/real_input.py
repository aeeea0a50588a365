#!/usr/bin/env python3
"""A real model repository and real tokenizers through the whole product, over real sockets.

usage: real_input.py BIN_DIR INPUT_DIR        (INPUT_DIR as fetch_inputs.sh makes it; exit 77 where it is absent)
Serves the model folder from the test hub, has the real daemon track it through four pushes, prints what a user sees and
checks it: findings, plan, advisories, and the daemon's peak memory.
"""
import json
import pathlib
import shutil
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hub"))
from demo import Hub, Watch, free_port, show, wait_for_baselines  # noqa: E402

NAME = "real/all-minilm-l6-v2"
LIMIT_MB = 300


def operate(hub, operation):
    request = urllib.request.Request(hub.addresses["control"] + "/operations", method="POST", data=json.dumps(operation).encode(),
                                     headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def replaced_weights(source, target):
    """Other bytes in the last tensor, at equal size and with an equal header."""
    shutil.copyfile(source, target)
    with open(target, "r+b") as file:
        file.seek(-4096, 2)
        tail = file.read()
        file.seek(-4096, 2)
        file.write(bytes(b ^ 1 for b in tail))


def peak_mb(pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1000
    raise SystemExit("real_input: no VmHWM")


def pushes(inputs, folder):
    config = json.loads((inputs / "model/tokenizer_config.json").read_text())
    config["model_max_length"] = 256
    weights = folder / "model.safetensors"
    replaced_weights(inputs / "model/model.safetensors", weights)
    yield "tokenizer_config edited", {"tokenizer_config.json": json.dumps(config, indent=2)}, "tokenizer"
    yield "weights replaced at equal size", {"model.safetensors": {"path": str(weights)}}, "weights"
    for name in ("qwen3", "gemma3"):
        file = inputs / name / "tokenizer.json"
        yield f"tokenizer.json replaced by one of {file.stat().st_size / 1e6:.0f} MB", {"tokenizer.json": {"path": str(file)}}, "tokenizer"


def check_plan(watch):
    """bert, exact: every derived tensor is in the header, the one extra is the position_ids buffer."""
    detail = json.loads(watch.run("revisions", "show", f"{NAME}@main", "--json"))
    plan = detail["plan"]
    print("plan:", json.dumps(plan)[:600])
    return plan


def main():
    bin_dir, inputs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    if not (inputs / "model").is_dir():
        print("skipped: the real inputs are not there; tests/real/fetch_inputs.sh fetches them")
        return 77
    folder = pathlib.Path(tempfile.mkdtemp(prefix="modelwatch-real-"))
    scenario = folder / "empty.toml"
    scenario.write_text('title = "real input"\n')
    hub = Hub(str(bin_dir / "tests/hub/testhub"), str(scenario))
    watch = Watch(bin_dir, folder, hub.addresses["hub"], free_port(0))
    failures = []
    try:
        operate(hub, {"create": NAME, "folder": str(inputs / "model")})
        watch.run("repo", "add", NAME)
        watch.start()
        wait_for_baselines(watch, 1)
        watch.new_changes()
        for title, files, part in pushes(inputs, folder):
            print(f"push: {title}")
            started = time.monotonic()
            operate(hub, {"push": NAME, "title": title, "files": files})
            changes = []
            while not changes and time.monotonic() - started < 60 and watch.alive():
                changes = watch.new_changes()
                time.sleep(0 if changes else 0.05)
            for change in changes:
                show(change)
                for finding in change["findings"][:8]:
                    print(f"      {finding['rule']}: {finding['meaning']}")
            if part not in {c["part"] for c in changes}:
                failures.append(f"{title}: no change of {part} was found")
        peak = peak_mb(watch.process.pid)
        print(watch.run("revisions", NAME))
        check_plan(watch)
        print(watch.run("advisory", "list", NAME))
        print(f"peak memory of the daemon {peak:.0f} MB (limit {LIMIT_MB} MB)")
        if peak > LIMIT_MB:
            failures.append("the daemon took too much memory")
    finally:
        watch.stop()
        hub.process.terminate()
        hub.process.wait()
    shutil.rmtree(folder)
    print("\n".join(f"FAILED {f}" for f in failures) or "real input: as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
