#!/usr/bin/env python3
"""Validates every *.json under a folder against the OSV schema. Exit 77 (skipped) where the schema or jsonschema is absent.
usage: schema_check.py SCHEMA FOLDER"""
import json, pathlib, sys

schema_path, folder = map(pathlib.Path, sys.argv[1:3])
if not schema_path.exists():
    print(f"skipped: {schema_path} is absent")
    sys.exit(77)
try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

validator = jsonschema.Draft202012Validator(json.loads(schema_path.read_text(encoding="utf-8")))
files, broken = sorted(folder.rglob("*.json")), 0
for file in files:
    for error in validator.iter_errors(json.loads(file.read_text(encoding="utf-8"))):
        broken += 1
        print(f"{file}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
print(f"{len(files)} documents, {broken} violations")
sys.exit(bool(broken) or not files)
