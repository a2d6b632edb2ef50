import { deepEqual, equal, match } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { rawZip, tarOf } from "../documents/archive/_archives.ts";
import { openPipe } from "../e2e/_mcp_pipe.ts";
import { makeArena, SECRET, snapshot } from "./_arena.ts";

const ENGLISH = { env: { MUXUE_RAG_LANGUAGE: "en" } };

const zeros = new Uint8Array(100_000_000);
/** Zips in zips: each level unpacks to ten times as much. */
const nested = (depth: number): Uint8Array<ArrayBuffer> =>
  rawZip(
    Array.from({ length: 10 }, (_, i) =>
      depth === 0
        ? { name: `${i}.txt`, content: zeros.subarray(0, 20_000_000) }
        : { name: `${i}.zip`, content: NESTED(depth - 1) }),
  );
const levels: Uint8Array<ArrayBuffer>[] = [];
const NESTED = (depth: number) => levels[depth] ??= nested(depth);

const gzipped = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes));

const HOSTILE = {
  "bomb.zip": rawZip([{ name: "zeros.txt", content: zeros }]),
  "bomb.gz": gzipped(zeros),
  "bomb.tgz": gzipped(gzipped(zeros)),
  "nested.zip": NESTED(3),
  "many.zip": rawZip(Array.from({ length: 30_000 }, (_, i) => ({ name: `${i}.txt`, content: "" }))),
  "overlap.zip": rawZip([
    { name: "0.md", content: "one" },
    ...Array.from({ length: 1000 }, (_, i) => ({ name: `${i + 1}.md`, content: "one", header: 0 })),
  ]),
  "climb.zip": rawZip([
    { name: "../../climbed.md", content: "climbed out\n" },
    { name: "..\\..\\back\\slash.md", content: "climbed out\n" },
    { name: "/absolute.md", content: "climbed out\n" },
    { name: "C:\\drive.md", content: "climbed out\n" },
    { name: "CON.md", content: "device\n" },
    { name: ".muxue_rag/index.bin", content: "x\n" },
    { name: ".git/config", content: "x\n" },
  ]),
  "links.tar": tarOf([
    { name: "secret.txt", kind: "2", linkTo: "../../outside/secret.txt" },
    { name: "hard.txt", kind: "1", linkTo: "/etc/passwd" },
    { name: "plain.md", content: "plain\n" },
  ]),
  "cut.zip": rawZip([{ name: "whole.md", content: "whole\n" }, { name: "cut.md", content: "x".repeat(5000) }])
    .subarray(0, 60),
  "noise.7z": Uint8Array.from({ length: 5000 }, (_, i) => i * 7 & 255),
  "liar.7z": Uint8Array.fromHex(`377abcaf271c0004${"ff".repeat(24)}`),
  "text.zip": new TextEncoder().encode("not an archive\n"),
};

Deno.test("hostile archives neither hang nor fill the memory, write nothing, and leave the others readable", async () => {
  await using arena = await makeArena({ "tea.md": "green tea\n", ...HOSTILE }, ENGLISH);
  const { folder, run } = arena;
  const before = await snapshot(arena.cwd);
  const { code, stdout, stderr } = await run`index ${folder} --json`;
  equal(code, 0, stderr);
  const failed: { readonly path: string; readonly reason: string }[] = JSON.parse(stdout).data.failed;
  const reasons = Object.fromEntries(failed.map(({ path, reason }) => [path, reason]));
  match(reasons["bomb.gz"]!, /more than 300 times its size/);
  match(reasons["bomb.zip/zeros.txt"]!, /more than 300 times its size/);
  match(reasons["many.zip"]!, /30000 entries, more than 20000/);
  match(reasons["nested.zip"]!, /more than/);
  match(reasons["noise.7z"]!, /damaged/);
  match(reasons["liar.7z"]!, /damaged/);
  const after = await snapshot(arena.cwd);
  const made = Object.keys(after).filter((path) => !(path in before));
  deepEqual(made.filter((path) => !/\.muxue_rag|^state|^config/.test(path)), []);

  const { stdout: listed } = await run`status --dir ${folder} --files --json`;
  const paths: string[] = JSON.parse(listed).data.folders[0].files
    .filter(({ state }: { readonly state: string }) => state === "indexed")
    .map(({ path }: { readonly path: string }) => path);
  deepEqual(paths.filter((path) => path.startsWith("climb.zip/")), [
    "climb.zip/_CON.md",
    "climb.zip/absolute.md",
    "climb.zip/back/slash.md",
    "climb.zip/climbed.md",
    "climb.zip/drive.md",
  ]);
  deepEqual(paths.filter((path) => path.startsWith("links.tar/")), ["links.tar/plain.md"]);
  deepEqual(paths.filter((path) => path.startsWith("overlap.zip/")), ["overlap.zip/0.md"]);
});

Deno.test("a path through an archive leads to its files and nowhere else", async () => {
  const archive = rawZip([
    { name: "open.md", content: "walnut\n" },
    { name: ".hidden/secret.md", content: `${SECRET}\n` },
    { name: "drafts/secret.md", content: `${SECRET}\n` },
    { name: "deep/inner.zip", content: rawZip([{ name: "drafts/secret.md", content: `${SECRET}\n` }]) },
  ]);
  await using arena = await makeArena({
    ".muxueragignore": "drafts/\n",
    "a.zip": archive,
    "ignored/b.zip": archive,
    "ignored/.muxueragignore": "*.zip\n",
  }, ENGLISH);
  const { folder, outside } = arena;
  await arena.run`index ${folder} --quiet`;
  await Deno.writeFile(`${outside}/c.zip`, archive);
  await using pipe = await openPipe(arena, ["--dir", folder, "--no-watch"]);
  const read = async (path: string) =>
    JSON.stringify((await pipe.call("read_raw_file", { "file_path": path })).result);
  match(await read("a.zip/open.md"), /walnut/);
  for (
    const path of [
      "a.zip/.hidden/secret.md",
      "a.zip/drafts/secret.md",
      "a.zip/./drafts/secret.md",
      "a.zip/x/../drafts/secret.md",
      "a.zip//drafts/secret.md",
      "a.zip\\drafts\\secret.md",
      "a.zip/deep/inner.zip/drafts/secret.md",
      "ignored/b.zip/drafts/secret.md",
      "ignored/b.zip/open.md",
      `${outside}/c.zip/drafts/secret.md`,
      `${outside}/c.zip/open.md`,
      "../outside/c.zip/open.md",
      "a.zip/../../outside/secret.txt",
    ]
  ) {
    const answer = await read(path);
    equal(answer.includes(SECRET) || answer.includes("walnut"), false, `${path}: ${answer}`);
  }
});
