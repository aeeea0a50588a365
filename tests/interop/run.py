#!/usr/bin/env python3
"""Feed and pins against the libraries of others.

    run.py MODELWATCH GOLDEN_FOLDER OSV_SCHEMA WORK_FOLDER

Installs the pinned libraries under WORK_FOLDER. Exits with 77, which ctest shows as skipped, only where a registry cannot be
reached. Prints a line per library.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
AJV = ["ajv@8.20.0", "ajv-formats@3.0.1"]
UNREACHABLE = re.compile(
    r"name resolution|Name or service not known|NameResolutionError|Failed to establish a new connection|Network is unreachable"
    r"|ConnectTimeoutError|ReadTimeoutError|Cannot connect to proxy|ProxyError"
    r"|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT"
)


def install(what, command, stamp):
    if stamp.exists() and stamp.read_text() == what:
        return
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0:
        stamp.write_text(what)
        return
    if UNREACHABLE.search(done.stdout):
        print(f"skipped: the registry of {what} cannot be reached\n{done.stdout[-600:]}")
        sys.exit(77)
    sys.exit(f"installing {what} failed:\n{done.stdout}")


def main():
    modelwatch, golden, schema, work = sys.argv[1], *map(lambda p: pathlib.Path(p).resolve(), sys.argv[2:5])
    work.mkdir(parents=True, exist_ok=True)
    python = work / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
    wanted = (HERE / "requirements.txt").read_text().split()
    install(" ".join(wanted), [python, "-m", "pip", "install", "--quiet", *wanted], work / "python.stamp")
    environment = {**os.environ, "MODELWATCH_CONFIG": ""}
    subprocess.run([python, HERE / "libraries.py", modelwatch, golden, work], check=True, env=environment)

    if not schema.exists():
        return print(f"ajv: not run, {schema} is absent")
    if not shutil.which("npm"):
        return print("ajv: not run, npm is absent")
    node = work / "node"
    node.mkdir(exist_ok=True)
    (node / "package.json").write_text(json.dumps({"private": True}))
    install(" ".join(AJV), ["npm", "--prefix", node, "install", "--no-audit", "--no-fund", "--no-save", *AJV], work / "node.stamp")
    script = node / "validate.cjs"
    script.write_text((HERE / "validate.cjs").read_text())
    subprocess.run(["node", script, schema, golden / "osv"], check=True)


if __name__ == "__main__":
    main()
