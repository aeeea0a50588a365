"""Reads the test hub with the official Python client, unchanged, and checks what it understood."""
import hashlib
import json
import os
import sys
import tempfile
import urllib.request

import huggingface_hub
from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import EntryNotFoundError, GatedRepoError, HfHubHTTPError, RevisionNotFoundError

HUB, CDN, CONTROL = sys.argv[1:4]
REPO = "acme/tiny"
api = HfApi()
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def control(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(CONTROL + path, data, {"content-type": "application/json"})
    with opener.open(request) as answer:
        return json.load(answer)


def log(**filters):
    return control("/log?" + urllib.parse.urlencode(filters))


def raises(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


def info():
    plain = api.model_info(REPO)
    assert plain.id == REPO and len(plain.sha) == 40 and plain.gated is False and plain.card_data.license == "mit"
    assert plain.safetensors.total == 768 and plain.safetensors.parameters == {"BF16": 768}, plain.safetensors
    blobs = {s.rfilename: s for s in api.model_info(REPO, files_metadata=True).siblings}
    assert blobs[".gitattributes"].blob_id == "a6344aac8c09253b3b630fb776ae94478aa0275b"
    assert blobs["model.safetensors"].lfs.size == blobs["model.safetensors"].size
    expanded = api.model_info(REPO, expand=["sha", "lastModified", "gated"])
    assert expanded.sha == plain.sha and expanded.last_modified == plain.last_modified and expanded.siblings is None
    assert api.model_info(REPO, securityStatus=True).security_repo_status["scansDone"] is True
    assert api.model_info(REPO, revision=plain.sha[:8]).sha == plain.sha
    assert api.model_info("acme/old-name").id == "acme/new-name"
    return plain.sha


def commits():
    shas = [control("/operations", {"push": REPO, "files": {"n.txt": str(n)}, "title": f"push {n}"})["sha"] for n in range(120)]
    listed = api.list_repo_commits(REPO)
    assert [c.commit_id for c in listed[:120]] == shas[::-1] and len(listed) == 122
    assert listed[0].title == "push 119" and listed[-1].authors == ["system"]
    pages = log(path="/api/models/acme/tiny/commits/*")
    assert len(pages) == 3 and "p=2" in pages[-1]["target"], [p["target"] for p in pages]
    assert api.list_repo_commits(REPO, formatted=True)[0].formatted_title == "push 119"


def tree():
    control("/operations", {"fault": "*/tree/*", "times": 5, "page_size": 2})
    entries = {e.path: e for e in api.list_repo_tree(REPO, recursive=True)}
    assert len(entries) == 8 and entries["model.safetensors"].lfs.pointer_size == 129, entries
    assert len(log(path="*/tree/*")) == 4
    control("/operations", {"clear_faults": True})
    expanded = {e.path: e for e in api.list_repo_tree(REPO, expand=True)}
    assert expanded["n.txt"].last_commit.title == "push 119"
    assert expanded["config.json"].last_commit.title == "Upload model"
    some = api.get_paths_info(REPO, ["config.json", "model.safetensors", "onnx", "no-such-file"])
    assert [e.path for e in some] == ["config.json", "model.safetensors", "onnx"]


def refs():
    found = api.list_repo_refs(REPO, include_pull_requests=True)
    assert [b.name for b in found.branches] == ["fp16", "main"] and [t.name for t in found.tags] == ["v1"]
    assert [p.ref for p in found.pull_requests] == ["refs/pr/1"]
    assert api.list_repo_refs(REPO).pull_requests is None
    assert "LICENSE" in api.list_repo_files(REPO, revision="refs/pr/1")


def downloads(cache):
    for name in ("config.json", "empty.txt", "model.safetensors"):
        local = hf_hub_download(REPO, name, cache_dir=cache)
        with open(local, "rb") as file:
            data = file.read()
        entry = api.get_paths_info(REPO, name)[0]
        expected = entry.lfs.sha256 if entry.lfs else entry.blob_id
        got = hashlib.sha256(data) if entry.lfs else hashlib.sha1(b"blob %d\0" % len(data) + data)
        assert len(data) == entry.size and got.hexdigest() == expected, name
        assert os.path.basename(os.path.realpath(local)) == expected, "cached under its etag"
    assert hf_hub_download("acme/old-name", "config.json", cache_dir=cache)
    assert not [r for r in log(listener="cdn") if r["authorization"]]


def safetensors():
    read = api.get_safetensors_metadata(REPO)
    assert read.parameter_count == {"BF16": 768} and not read.sharded
    tensor = read.files_metadata["model.safetensors"].tensors["lm_head.weight"]
    assert tensor.shape == [32, 8] and tensor.dtype == "BF16"


def lists():
    assert len(list(api.list_models(author="bulk"))) == 130
    control("/operations", {"push": "bulk/model-7", "files": {"README.md": "# changed\n"}})
    control("/operations", {"fault": "/api/models", "times": -1, "page_size": 50})
    newest = list(api.list_models(author="bulk", sort="last_modified", expand=["sha", "lastModified"]))
    control("/operations", {"clear_faults": True})
    assert len({m.id for m in newest}) == 130 and newest[0].id == "bulk/model-7" and len(newest[0].sha) == 40
    assert all(a.last_modified >= b.last_modified for a, b in zip(newest, newest[1:]))


def errors(cache):
    missing = raises(HfHubHTTPError, lambda: api.model_info("acme/no-such-model"))
    assert missing.response.status_code == 401
    missing = raises(HfHubHTTPError, lambda: api.model_info("acme/no-such-model", token="hf_ann"))
    assert missing.response.status_code == 404
    raises(EntryNotFoundError, lambda: hf_hub_download(REPO, "no-such-file", cache_dir=cache))
    raises(RevisionNotFoundError, lambda: hf_hub_download(REPO, "config.json", revision="no-such-branch", cache_dir=cache))
    gated = raises(GatedRepoError, lambda: hf_hub_download("acme/gated", "config.json", cache_dir=cache))
    assert gated.response.status_code == 401
    gated = raises(GatedRepoError, lambda: hf_hub_download("acme/gated", "config.json", cache_dir=cache, token="hf_ann"))
    assert gated.response.status_code == 403 and "awaiting a review" in str(gated)
    raises(GatedRepoError, lambda: api.auth_check("acme/gated"))
    masked = [e for e in api.list_repo_tree("acme/gated") if e.path == "model.safetensors"][0]
    assert masked.lfs.sha256 == "*" * 64
    control("/operations", {"access": "acme/gated", "user": "ann", "state": "granted"})
    assert hf_hub_download("acme/gated", "model.safetensors", cache_dir=cache, token="hf_ann")
    assert api.auth_check("acme/gated", token="hf_ann") is None


def main():
    print("huggingface_hub", huggingface_hub.__version__)
    with tempfile.TemporaryDirectory() as cache:
        for check in (info, commits, tree, refs, lambda: downloads(cache), safetensors, lists, lambda: errors(cache)):
            check()
    print(len(log()), "requests understood")


main()
