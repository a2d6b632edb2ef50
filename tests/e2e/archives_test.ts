import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { openPipe } from "./_mcp_pipe.ts";
import { type Ended, makeSandbox } from "./_program.ts";
import { rawZip, tarOf } from "../documents/archive/_archives.ts";

const GBK = Uint8Array.fromHex("d7cac1cf2fcbb5c3f72e747874"); // 资料/说明.txt

const NOTES = {
  "readme.md": "# Papers\n\nThe papers of the harbour office.\n",
  "papers/harbour.md": "# Harbour\n\nThe lighthouse was painted in March.\n",
  "papers/crew.txt": "The crew of the dredger has seven members.\n",
};

const zip = (files: Readonly<Record<string, string>>) =>
  rawZip([
    ...Object.entries(files).map(([name, content]) => ({ name, content })),
    { name: GBK, content: "集装箱的清单。\n" },
    {
      name: "inner.tgz",
      content: gzipSync(tarOf([{ name: "logs/pilot.log", content: "pilot boarded at noon\n" }])),
    },
  ]);

async function json(run: Promise<Ended>) {
  const { code, stdout, stderr } = await run;
  if (code > 1 || stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

Deno.test("an archive is a folder: its documents are found, read and updated one by one, and follow the ignore files", async () => {
  await using sandbox = await makeSandbox({
    "tea.md": "# Tea\n\nGreen tea.\n",
    "old/papers.zip": zip(NOTES),
  }, { env: { MUXUE_RAG_MCP_TOOLS: "all" } });
  const { folder, run } = sandbox;
  const counts = async (...flags: string[]) => {
    const { new: added, changed, removed, unchanged, failed } =
      (await json(run`index ${folder} --json ${flags}`)).data;
    return { new: added, changed, removed, unchanged, failed };
  };
  const found = async (query: string) => {
    const { data } = await json(run`search ${query} --dir ${folder} --json --mode keyword`);
    return data.match_content.map((hit: { readonly file_path: string }) =>
      hit.file_path.slice(folder.length + 1)
    );
  };
  const change = (files: Readonly<Record<string, string>>) =>
    Deno.writeFile(join(folder, "old/papers.zip"), zip(files));
  const inside = "old/papers.zip/";
  const same = { new: 0, changed: 0, removed: 0, unchanged: 0, failed: [] };

  deepEqual(await counts(), { ...same, new: 6 });
  deepEqual(await found("lighthouse"), [`${inside}papers/harbour.md`]);
  deepEqual(await found("集装箱"), [`${inside}资料/说明.txt`]);
  deepEqual(await found("pilot boarded"), [`${inside}inner.tgz/logs/pilot.log`]);
  deepEqual(await counts(), { ...same, unchanged: 6 });
  const { code } = await run`verify --deep --dir ${folder}`;
  equal(code, 0);

  const only = await json(run`search harbour --dir ${folder} --json --mode keyword`);
  equal(only.data.match_content.length > 1, true);
  await using pipe = await openPipe(sandbox, ["--dir", folder, "--no-watch"]);
  const read = async (path: string) => {
    const { result } = await pipe.call("read_raw_file", { "file_path": path });
    return result.isError ? result.content[0].text : result.structuredContent.data.raw_content;
  };
  equal(await read(`${inside}papers/harbour.md`), NOTES["papers/harbour.md"]);
  equal(await read(join(folder, inside, "inner.tgz/logs/pilot.log")), "pilot boarded at noon\n");
  match(await read(`${inside}absent.md`), /文件不存在/);
  match(await read(`${inside}../papers.zip/../../../state/x`), /无权|不在|不存在/);
  const uri = `muxue://${encodeURIComponent("文档 docs")}/${inside}${encodeURIComponent("资料")}/${
    encodeURIComponent("说明.txt")
  }`;
  const { result } = await pipe.ask("resources/read", { uri });
  match(JSON.stringify(result), /集装箱的清单/);
  const papers = await pipe.call("search_rag", { keyword: "harbour", "dir_path": `${inside}papers` });
  match(JSON.stringify(papers.result), /harbour\.md/);
  equal(/readme\.md/.test(JSON.stringify(papers.result)), false);
  for (
    const tool of [
      "get_document_content",
      "get_document_original",
      "read_raw_file",
      "list_images",
      "get_image",
    ]
  ) {
    const { result } = await pipe.call(tool, { "file_path": "old/papers.zip" });
    match(JSON.stringify(result), /作为文件夹读取/);
  }
  const summary = await pipe.call("get_document_summary", { "doc_id": `${inside}papers/crew.txt` });
  match(JSON.stringify(summary.result), /dredger/);

  // One document changes, one goes, one comes. The others are not read into chunks again.
  await change({
    "readme.md": NOTES["readme.md"],
    "papers/harbour.md": "# Harbour\n\nThe lighthouse fell.\n",
    "b.md": "Buoys.\n",
  });
  deepEqual(await counts(), { ...same, new: 1, changed: 1, removed: 1, unchanged: 4 });
  deepEqual(await found("dredger"), []);
  match(await read(`${inside}papers/harbour.md`), /fell/);

  // The rules of the folder hold inside, at once for what is shown.
  await Deno.writeTextFile(join(folder, ".muxueragignore"), "papers/\n");
  const search = await pipe.call("search_rag", { keyword: "lighthouse" });
  equal(/fell/.test(JSON.stringify(search.result)), false);
  equal(/fell/.test(await read(`${inside}papers/harbour.md`)), false);
  deepEqual(await counts(), { ...same, removed: 1, unchanged: 5 });
  await Deno.writeTextFile(join(folder, ".muxueragignore"), "*.zip/\n");
  deepEqual(await counts(), { ...same, removed: 4, unchanged: 1 });
  await Deno.remove(join(folder, ".muxueragignore"));
  deepEqual(await counts(), { ...same, new: 5, unchanged: 1 });
  await Deno.remove(join(folder, "old/papers.zip"));
  deepEqual(await counts(), { ...same, removed: 5, unchanged: 1 });
});

Deno.test("extract prints one document of an archive, also of an archive in it", async () => {
  await using sandbox = await makeSandbox({ "old/papers.zip": zip(NOTES), "tea.md": "Tea.\n" });
  const { folder, run } = sandbox;
  const path = join(folder, "old/papers.zip");
  const crew = await run`extract ${join(path, "papers/crew.txt")}`;
  deepEqual([crew.code, crew.stdout], [0, NOTES["papers/crew.txt"]]);
  const pilot = await run`extract ${join(path, "inner.tgz/logs/pilot.log")}`;
  deepEqual([pilot.code, pilot.stdout], [0, "pilot boarded at noon\n"]);
  for (const missing of [join(path, "papers/nobody.txt"), join(folder, "tea.md/crew.txt")]) {
    const { code, stderr } = await run`extract ${missing} --language en`;
    equal(code, 1);
    match(stderr, /The file does not exist/);
  }
});

Deno.test("of a document that is also in an archive, the file itself is shown and the other named under it", async () => {
  await using sandbox = await makeSandbox({
    "a.zip": zip(NOTES),
    "crew.txt": NOTES["papers/crew.txt"],
  });
  const { folder, run } = sandbox;
  const { data } = await json(run`search dredger --dir ${folder} --json`);
  const hits = data.match_content.map((
    { file_path: path, also_in: also }: { file_path: string; also_in?: unknown },
  ) => [path.slice(folder.length + 1), JSON.stringify(also).includes("a.zip/papers/crew.txt")]);
  deepEqual(hits, [["crew.txt", true]]);
});

Deno.test("an error about a document of an archive names its whole path", async () => {
  const locked = rawZip([{ name: "plan.txt", content: "Plan.\n", flags: 1 }]);
  await using sandbox = await makeSandbox({ "old/locked.zip": locked }, {
    env: { MUXUE_RAG_LANGUAGE: "en" },
  });
  const { folder, run } = sandbox;
  const path = join(folder, "old/locked.zip");
  const reason = `${path}/plan.txt is protected by a password`;
  for (const file of [path, join(path, "plan.txt")]) {
    const { code, stderr } = await run`extract ${file}`;
    equal(code, 1);
    equal(stderr.split(reason).length, 2, stderr);
    equal(stderr.split("plan.txt").length, 2, stderr);
  }
  await run`index ${folder}`;
  await using pipe = await openPipe(sandbox);
  const { result } = await pipe.call("get_document_content", { file_path: join(path, "plan.txt") });
  equal(result.content[0].text.startsWith(reason), true, result.content[0].text);
});
