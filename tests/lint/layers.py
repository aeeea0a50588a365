#!/usr/bin/env python3
"""Proves the one direction of includes and that heavy headers stay in the few files that own them. Prints each offence."""
import pathlib, re, sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# A room and the rooms it may include, besides itself. The longest matching prefix counts.
MAY_INCLUDE = {
    "estimator": [],
    "advisories": ["estimator"],
    "storage": ["advisories", "estimator"],
    "daemon/hub": ["advisories", "estimator"],
    "daemon/probe": ["advisories", "estimator"],
    "daemon/watch": ["daemon/hub", "daemon/probe", "storage", "advisories", "estimator"],
    "daemon/http": ["storage", "advisories", "estimator"],
    "daemon/cli": ["daemon/watch", "daemon/http", "daemon/hub", "daemon/probe", "storage", "advisories", "estimator", "daemon"],
    "daemon": ["daemon/watch", "daemon/http", "daemon/hub", "daemon/probe", "storage", "advisories", "estimator"],
}

# A heavy header and the only product files that may include it (prefixes of paths).
OWNERS = {
    r"boost/": ["daemon/http/server", "daemon/loop", "daemon/main.cpp"],
    r"curl/": ["daemon/hub/"],
    r"sqlite3\.h": ["storage/"],
    r"zstd\.h": ["storage/"],
    r"zlib\.h": ["advisories/feed/"],
    r"dtl/": ["advisories/diff/"],
    r"simdjson": ["advisories/manifest/"],
    r"openssl/": ["advisories/manifest/digest"],
    r"yaml-cpp/": ["advisories/manifest/", "advisories/pins/"],
    r"spdlog/": ["daemon/"],
    r"nlohmann/json\.hpp": ["advisories/", "daemon/", "storage/"],
    r"CLI/": ["daemon/cli/", "daemon/main.cpp"],
    r"toml\+\+/": ["daemon/config", "advisories/pins/"],
}


def room(path):
    return max((r for r in MAY_INCLUDE if path == r or path.startswith(r + "/")), key=len, default=None)


offences = []
for file in sorted(f for top in ("estimator", "advisories", "storage", "daemon") for f in (ROOT / top).rglob("*")):
    if file.suffix not in (".h", ".cpp"):
        continue
    name = file.relative_to(ROOT).as_posix()
    mine = room(name)
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+[<"]([^>"]+)[>"]', line)
        if not found:
            continue
        header = found.group(1)
        theirs = room(header)
        if theirs and theirs != mine and theirs not in MAY_INCLUDE[mine]:
            offences.append(f"{name}:{number}: {mine} may not include {header}")
        for pattern, owners in OWNERS.items():
            if re.match(pattern, header) and (file.suffix == ".h" or not any(name.startswith(o) for o in owners)):
                offences.append(f"{name}:{number}: {header} belongs into a .cpp of {', '.join(owners)}")

print("\n".join(offences) or "includes point one way, heavy headers are where they belong")
sys.exit(bool(offences))
