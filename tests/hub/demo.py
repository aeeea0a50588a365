#!/usr/bin/env python3
"""The demo: a small Hub on this machine whose repositories change, and the daemon that tells how.

usage: demo.py BIN_DIR [--keep] [--scenario FILE]
Starts the test hub with the scenario, `modelwatchd` against it with a short interval, plays the scenario step by step
and prints each change as the daemon finds it. Exits 0 when every step was found; with --keep it stays up until Ctrl-C.
"""
import argparse
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

COLORS = {"security": "1;35", "breaking": "1;31", "behaviour": "33", "resource": "36", "legal": "34", "unknown": "2", "cosmetic": "2"}
PATIENCE = 60  # seconds until a change that does not come is called missing


def paint(text, code):
    return f"\033[{code}m{text}\033[0m" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else text


def say(text=""):
    print(text, flush=True)


def free_port(preferred):
    """The documented port where it is free, so that the printed commands can be copied; else any."""
    for port in (preferred, 0):
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind(("127.0.0.1", port))
            except OSError:
                continue
            return s.getsockname()[1]
    raise SystemExit("demo: no free port on 127.0.0.1")


class Hub:
    """The test hub as a process, driven through its control port."""

    def __init__(self, program, scenario):
        self.process = subprocess.Popen([program, "--scenario", scenario], stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if not first:
            raise SystemExit("demo: the test hub did not start")
        self.addresses = json.loads(first)

    def call(self, method, path, at="control"):
        request = urllib.request.Request(self.addresses[at] + path, method=method, data=b"" if method == "POST" else None)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)


class Watch:
    """The daemon, its database, and the changes it has found so far."""

    def __init__(self, bin_dir, folder, hub_url, port):
        self.cli, self.db = str(bin_dir / "daemon/modelwatch"), str(folder / "demo.db")
        config = folder / "modelwatch.toml"
        config.write_text(f'[hub]\nendpoint = "{hub_url}"\n[http]\nport = {port}\n[schedule]\ninterval = "1s"\nlongest = "1s"\n'
                          f'full_read = "2s"\n[log]\nlevel = "warning"\n')
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "HUGGING_FACE_", "MODELWATCH_"))}
        self.env.update(MODELWATCH_DB=self.db, MODELWATCH_CONFIG=str(config))
        self.log = open(folder / "modelwatchd.log", "w+")
        self.program, self.config, self.process, self.cursor = str(bin_dir / "daemon/modelwatchd"), str(config), None, 0

    def start(self):
        self.process = subprocess.Popen([self.program, "--config", self.config], env=self.env, stderr=self.log)

    def run(self, *words):
        done = subprocess.run([self.cli, *words], env=self.env, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"demo: modelwatch {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def new_changes(self, settle=0.0):
        """Changes since the last call, oldest first; once there are some, waits until for `settle` seconds none came."""
        def read():
            lines = self.run("changes", "--json", "--since", str(self.cursor)).splitlines()
            return sorted((json.loads(line) for line in lines), key=lambda c: c["sequence"])

        changes, quiet_since = read(), time.monotonic()
        while changes and time.monotonic() - quiet_since < settle and self.alive():
            time.sleep(0.1)
            again = read()
            if again != changes:
                changes, quiet_since = again, time.monotonic()
        if changes:
            self.cursor = changes[-1]["sequence"]
        return changes

    def alive(self):
        return self.process.poll() is None

    def stop(self):
        if self.process and self.alive():
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(20)


def amount(value):
    """One figure of a plan; the serving engines of one figure mostly agree."""
    if isinstance(value, dict):
        figures = sorted(set(value.values()))
        return " or ".join(f"{figure:,}" for figure in figures[:2])
    return f"{value:,}" if isinstance(value, int) else str(value)


def moved(change):
    """What a changed config does to memory, where both sides can be planned."""
    plan = change.get("plan")
    if change["part"] != "config" or not isinstance(plan, dict) or not plan.get("before") or not plan.get("after"):
        return []
    names = {"parameters": "parameters", "kv_per_token": "KV cache, bytes a token", "weights_bytes": "weights, bytes"}
    return [f"{words}: {amount(plan['before'].get(key))} → {amount(plan['after'].get(key))}"
            for key, words in names.items() if key in plan["moved"] and key in plan["before"]]


def show(change):
    impact = change["impact"]
    what = change["part"] if change["event"] == "change" else change["event"]
    say(f"  {paint(f'{impact:<9}', COLORS.get(impact, '0'))} {what:<13} {change['repository']}")
    say(f"            {change['summary']}")
    for line in moved(change):
        say("            " + paint(line, "36"))
    say("            " + (paint(change["advisory"], "1") if change.get("advisory") else paint("kept in the history, no advisory", "2")))


def wait_for_baselines(watch, wanted):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and watch.alive():
        repos = json.loads(watch.run("repo", "list", "--json"))["repositories"]
        if sum(bool(r.get("head")) for r in repos) >= wanted:
            return
        time.sleep(0.1)
    raise SystemExit(f"demo: the repositories were not read within {PATIENCE} s; the daemon's log is {watch.log.name}")


def play(hub, watch, steps):
    """Plays one step after the other, each after the change of the one before was found. Returns all changes."""
    found = []
    for number, step in enumerate(steps, 1):
        say(paint(f"{number}/{len(steps)}  {step['name']}", "1"))
        hub.call("POST", "/steps/next")
        fresh, deadline = [], time.monotonic() + PATIENCE
        while not fresh and time.monotonic() < deadline and watch.alive():
            fresh = watch.new_changes(settle=0.8)
            time.sleep(0 if fresh else 0.1)
        if not fresh:
            say(paint("  nothing was found", "31"))
        for change in fresh:
            show(change)
        found += fresh
        say()
    return found


def epilogue(watch, port, found, steps):
    advisories = [c for c in found if c.get("advisory") and c["event"] == "change"]
    say(f"{len(steps)} things happened, {len(found)} changes were found, {len(advisories)} advisories were written to {watch.db}")
    if not advisories:
        return
    last = advisories[0]
    revision = last.get("sha", "")
    say("look further:")
    say(f"  export MODELWATCH_DB={watch.db}")
    say(f"  {watch.cli} changes")
    say(f"  {watch.cli} revisions {last['repository']}")
    say(f"  {watch.cli} advisory show {last['advisory']}")
    say(f"  curl -s http://127.0.0.1:{port}/v1/query -d '{{\"commit\":\"{revision}\"}}'")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin", type=pathlib.Path, help="build folder with the programs")
    parser.add_argument("--keep", action="store_true", help="stay up afterwards")
    parser.add_argument("--scenario", default=str(pathlib.Path(__file__).parent / "scenarios/demo.toml"))
    options = parser.parse_args()

    folder = pathlib.Path(tempfile.mkdtemp(prefix="modelwatch-demo-"))
    port = free_port(8917)
    hub = Hub(str(options.bin / "tests/hub/testhub"), options.scenario)
    watch = Watch(options.bin, folder, hub.addresses["hub"], port)
    complete = False
    try:
        steps = hub.call("GET", "/steps")
        names = sorted(model["id"] for model in hub.call("GET", "/api/models?limit=1000", at="hub"))
        for name in names:
            watch.run("repo", "add", "--history", "none", name)
        say(f"a Hub with {len(names)} repositories on {hub.addresses['hub']}, modelwatchd watching them")
        watch.start()
        wait_for_baselines(watch, len(names))
        watch.new_changes()
        say("every repository was read once; now they change\n")
        found = play(hub, watch, steps)
        epilogue(watch, port, found, steps)
        complete = watch.alive() and len({c["repository"] for c in found}) > 0 and len(found) >= len(steps)
        if options.keep:
            say(f"\nstill up on http://127.0.0.1:{port}/ ; Ctrl-C ends it")
            signal.sigwait({signal.SIGINT, signal.SIGTERM})
    except KeyboardInterrupt:
        pass
    finally:
        watch.stop()
        hub.process.terminate()
        hub.process.wait()
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
