#!/usr/bin/env python3
"""Holds the test hub against a real client.

    run.py python|javascript TESTHUB WORK_FOLDER [VERSION]

Installs the pinned client (or VERSION, or `latest`) under WORK_FOLDER, starts the test hub and lets client.py or
client.mjs read from it. Exits with 77, which ctest shows as skipped, only where the registry cannot be reached.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NPM_PACKAGE, NPM_VERSION = "@huggingface/hub", "2.17.5"
SKIPPED = 77
# How pip, npm and the resolver say that there is no way to the registry, as against a package that is not there.
UNREACHABLE = re.compile(
    r"Temporary failure in name resolution|Name or service not known|NameResolutionError|Failed to establish a new connection"
    r"|Network is unreachable|ConnectTimeoutError|ReadTimeoutError|Cannot connect to proxy|ProxyError"
    r"|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT"
)


def install(what, command, stamp):
    """Runs the command unless `stamp` says that it has been done."""
    if stamp.exists() and stamp.read_text() == what:
        return
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0:
        stamp.write_text(what)
        return
    if UNREACHABLE.search(done.stdout):
        print(f"skipped: the registry of {what} cannot be reached\n{done.stdout[-600:]}")
        sys.exit(SKIPPED)
    sys.exit(f"installing {what} failed:\n{done.stdout}")


def prepare_python(work, version):
    venv = work / "venv"
    python = venv / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pinned = (HERE / "requirements.txt").read_text().split()
    wanted = pinned if version is None else ["huggingface_hub" if version == "latest" else f"huggingface_hub=={version}"]
    install(" ".join(wanted), [python, "-m", "pip", "install", "--quiet", "--upgrade", *wanted], work / "python.stamp")
    return [python, HERE / "client.py"]


def prepare_javascript(work, version):
    wanted = f"{NPM_PACKAGE}@{version or NPM_VERSION}"
    folder = work / "node"
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    install(wanted, ["npm", "--prefix", folder, "install", "--no-audit", "--no-fund", "--no-save", wanted], work / "node.stamp")
    script = folder / "client.mjs"  # a module is looked up from where the importing file lies
    script.write_text((HERE / "client.mjs").read_text())
    return ["node", script]


def main():
    language, testhub, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    version = sys.argv[4] if len(sys.argv) > 4 else None
    work.mkdir(parents=True, exist_ok=True)
    client = {"python": prepare_python, "javascript": prepare_javascript}[language](work, version)
    hub = subprocess.Popen([testhub, "--scenario", HERE / "scenario.toml"], stdout=subprocess.PIPE, text=True)
    try:
        urls = json.loads(hub.stdout.readline())
        environment = {
            **os.environ,
            "HF_ENDPOINT": urls["hub"],
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HOME": str(work / "home"),
            "NO_PROXY": "*",
            "no_proxy": "*",
        }
        environment.pop("HF_TOKEN", None)
        return subprocess.run([*client, urls["hub"], urls["cdn"], urls["control"]], env=environment).returncode
    finally:
        hub.terminate()
        hub.wait()


if __name__ == "__main__":
    sys.exit(main())
