"""Run by run.py in its environment: libraries.py MODELWATCH GOLDEN_FOLDER WORK_FOLDER"""
import json
import pathlib
import subprocess
import sys
from importlib.metadata import version

import feedparser
from cyclonedx.model import ExternalReference, ExternalReferenceType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL
from spdx_tools.spdx.model import (Actor, ActorType, CreationInfo, Document, ExternalPackageRef, ExternalPackageRefCategory, Package,
                                   Relationship, RelationshipType, SpdxNoAssertion)
from spdx_tools.spdx.writer.write_anything import write_file
from datetime import datetime

MODELWATCH, GOLDEN, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
SHA = "0fba2fa4f3c5734fbd506a88f3279ed6c096eab7"


def pins_of(path):
    database = WORK / "empty.db"
    if not database.exists():
        subprocess.run([MODELWATCH, "--db", database, "repo", "add", "example-org/none"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([MODELWATCH, "--db", database, "check", "--json", path], check=True, stdout=subprocess.PIPE)
    report = json.loads(done.stdout)
    assert not report["problems"], report["problems"]
    return sorted((pin["repository"], pin["revision"]) for pin in report["pins"])


def atom():
    feed = feedparser.parse(str(GOLDEN / "feed.atom"))
    assert not feed.bozo, feed.bozo_exception
    ids = {json.loads(p.read_text())["id"]: json.loads(p.read_text()) for p in (GOLDEN / "osv").glob("*.json")}
    assert len(feed.entries) == len(ids), (len(feed.entries), len(ids))
    for entry in feed.entries:
        document = ids[entry.id.rsplit(":", 1)[1]]
        assert entry.updated == document["database_specific"]["significant_at"]
        assert entry.published == document["published"]
        assert entry.title_detail.type == "text/plain" and entry.link.endswith(document["id"])
        assert entry.summary_detail.type == "text/plain"
    print(f"feedparser {version('feedparser')}: {len(feed.entries)} entries, well-formed, updated = significant change")


def cyclonedx():
    by_purl = Component(type=ComponentType.MACHINE_LEARNING_MODEL, name="by-purl",
                        purl=PackageURL("huggingface", "example-org", "by-purl", SHA))
    by_address = Component(type=ComponentType.MACHINE_LEARNING_MODEL, name="by-address", external_references=[ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION, url=XsUri(f"https://huggingface.co/example-org/by-address/tree/{SHA}"))])
    library = Component(type=ComponentType.LIBRARY, name="torch", purl=PackageURL("pypi", None, "torch", "2.9.0"))
    for schema in (SchemaVersion.V1_5, SchemaVersion.V1_6, SchemaVersion.V1_7):
        bom = Bom(components=[by_purl, by_address, library])
        path = WORK / f"bom-{schema.to_version()}.cdx.json"
        make_outputter(bom, OutputFormat.JSON, schema).output_to_file(str(path), allow_overwrite=True, indent=1)
        assert pins_of(path) == [("example-org/by-address", SHA), ("example-org/by-purl", SHA)], (schema, pins_of(path))
    print(f"cyclonedx-python-lib {version('cyclonedx-python-lib')}: pins found in 1.5, 1.6 and 1.7")


def spdx():
    creation = CreationInfo("SPDX-2.3", "SPDXRef-DOCUMENT", "models", "https://example.org/models", [Actor(ActorType.TOOL, "test")],
                            datetime(2026, 1, 1))
    by_purl = Package("SPDXRef-a", "by-purl", SpdxNoAssertion(), version="1", files_analyzed=False, external_references=[ExternalPackageRef(
        ExternalPackageRefCategory.PACKAGE_MANAGER, "purl", f"pkg:huggingface/example-org/by-purl@{SHA}")])
    by_tree = Package("SPDXRef-b", "by-tree", f"https://huggingface.co/example-org/by-tree/tree/{SHA}", files_analyzed=False)
    document = Document(creation, packages=[by_purl, by_tree], relationships=[
        Relationship("SPDXRef-DOCUMENT", RelationshipType.DESCRIBES, name) for name in ("SPDXRef-a", "SPDXRef-b")])
    for ending in ("spdx.json", "spdx", "spdx.yaml"):
        path = WORK / f"models.{ending}"
        write_file(document, str(path))
        assert pins_of(path) == [("example-org/by-purl", SHA), ("example-org/by-tree", SHA)], (ending, pins_of(path))
    print(f"spdx-tools {version('spdx-tools')}: pins found in JSON, tag-value and YAML")


atom()
cyclonedx()
spdx()
