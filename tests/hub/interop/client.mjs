// Reads the test hub with the official JavaScript client, unchanged, and checks what it understood.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { downloadFile, listCommits, listFiles, listModels, modelInfo, parseSafetensorsMetadata, pathsInfo } from "@huggingface/hub";

const [hubUrl, , control] = process.argv.slice(2);
const repo = "acme/tiny";

async function collect(generator) {
  const all = [];
  for await (const item of generator) all.push(item);
  return all;
}

async function operation(body) {
  const answer = await fetch(`${control}/operations`, { method: "POST", body: JSON.stringify(body) });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

const version = JSON.parse(readFileSync(new URL("node_modules/@huggingface/hub/package.json", import.meta.url))).version;
console.log("@huggingface/hub", version, "on node", process.versions.node);
await operation({ behaviour: { xet_headers: false } });

const info = await modelInfo({ name: repo, hubUrl, additionalFields: ["sha", "safetensors"] });
assert.equal(info.name, repo);
assert.equal(info.safetensors.total, 768);

const shas = [];
for (let n = 0; n < 7; ++n) shas.unshift((await operation({ push: repo, files: { "n.txt": String(n) }, title: `push ${n}` })).sha);
const commits = await collect(listCommits({ repo, hubUrl, batchSize: 3 }));
assert.deepEqual(commits.map((c) => c.oid).slice(0, 7), shas);
assert.equal(commits.length, 9);

await operation({ fault: "*/tree/*", times: 5, page_size: 3 });
const files = await collect(listFiles({ repo, hubUrl, recursive: true }));
assert.equal(files.length, 8);
assert.equal(files.find((f) => f.path === "model.safetensors").lfs.pointerSize, 129);
await operation({ clear_faults: true });
const expanded = await collect(listFiles({ repo, hubUrl, expand: true }));
assert.equal(expanded.find((f) => f.path === "n.txt").lastCommit.title, "push 6");

const [config, weights] = await pathsInfo({ repo, hubUrl, paths: ["config.json", "model.safetensors", "no-such-file"] });
for (const entry of [config, weights]) {
  const bytes = Buffer.from(await (await downloadFile({ repo, hubUrl, path: entry.path })).arrayBuffer());
  assert.equal(bytes.length, entry.size);
  const hash = entry.lfs ? createHash("sha256") : createHash("sha1").update(`blob ${bytes.length}\0`);
  assert.equal(hash.update(bytes).digest("hex"), entry.lfs ? entry.lfs.oid : entry.oid);
}
assert.equal(await downloadFile({ repo, hubUrl, path: "no-such-file" }), null);

const metadata = await parseSafetensorsMetadata({ repo, hubUrl, computeParametersCount: true });
assert.deepEqual(metadata.parameterCount, { BF16: 768 });
assert.deepEqual(metadata.header["lm_head.weight"].shape, [32, 8]);

assert.equal((await collect(listModels({ hubUrl, search: { owner: "bulk" }, limit: 1000 }))).length, 130);
console.log("all understood");
