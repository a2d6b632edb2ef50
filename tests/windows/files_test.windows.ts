/** Files that are open, locked, read-only, or in the encodings of Windows. */
import { deepEqual, equal, match } from "node:assert/strict";
import { basename, join } from "node:path";
import { type Files, makeSandbox } from "../e2e/_program.ts";
import { openPipe } from "../e2e/_mcp_pipe.ts";
import { DOCUMENTS } from "../e2e/_documents.ts";
import { foundIn, indexedWith, served, textOf, WORD } from "./_windows.ts";

const TEA = `# Tea\n\nThe ${WORD} grows here.\n`;
const MINT = `# Mint\n\nNo ${WORD} is as green.\n`;
const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("the index is updated, verified and removed while a server has it open", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA }, "");
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--no-watch"]);
  match(textOf(await pipe.search(WORD)), /a\.md/);
  await Deno.writeTextFile(join(sandbox.folder, "b.md"), `# New\n\nMore ${WORD} came.\n`);
  const updated = await sandbox.run`--dir ${sandbox.folder} --quiet`;
  equal(updated.code, 0, updated.stderr);
  match(textOf(await pipe.search(WORD)), /b\.md/);
  const full = await sandbox.run`--dir ${sandbox.folder} --full --quiet`;
  equal(full.code, 0, full.stderr);
  const verified = await sandbox.run`verify --dir ${sandbox.folder}`;
  equal(verified.code, 0, verified.stdout + verified.stderr);
  const cleaned = await sandbox.run`clean --dir ${sandbox.folder} --yes`;
  equal(cleaned.code, 0, cleaned.stderr);
});

Deno.test("an index in use by another process is named with that process, and the lock of a killed one does not count", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA }, "");
  const lock = join(sandbox.folder, ".muxue_rag", "lock");
  const holder = `
    const file = Deno.openSync(Deno.args[0], { read: true, write: true });
    file.lockSync(true);
    file.writeSync(new TextEncoder().encode(String(Deno.pid)));
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const path = join(sandbox.cwd, "holder.ts");
  await Deno.writeTextFile(path, holder);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-config", path, lock],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  const second = await sandbox.run`--dir ${sandbox.folder} --full`;
  equal(second.code, 1, second.stderr);
  match(second.stderr, /Error: Another process .*is indexing this folder/);
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
  const third = await sandbox.run`--dir ${sandbox.folder} --full --quiet`;
  equal(third.code, 0, third.stderr);
});

Deno.test("a read-only file is indexed, and a read-only index is replaced", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA, "b.md": MINT }, "");
  Deno.chmodSync(join(sandbox.folder, "a.md"), 0o444);
  Deno.chmodSync(join(sandbox.folder, ".muxue_rag", "index.bin"), 0o444);
  const { code, stderr } = await sandbox.run`--dir ${sandbox.folder} --full --quiet`;
  equal(code, 0, stderr);
  deepEqual(await foundIn(sandbox), ["a.md", "b.md"]);
  equal(Deno.statSync(join(sandbox.folder, "a.md")).mode! & 0o222, 0);
});

Deno.test("a file that another program has open and locked is skipped with a reason, and indexed later", async () => {
  await using sandbox = await makeSandbox({ "a.md": TEA, "b.md": MINT });
  {
    using file = Deno.openSync(join(sandbox.folder, "b.md"), { read: true, write: true });
    file.lockSync(true);
    const { code, stderr } = await sandbox.run`--dir ${sandbox.folder} --quiet`;
    equal(code === 0 || code === 1, true, stderr);
  }
  deepEqual(await foundIn(sandbox), ["a.md", "b.md"]);
});

/** Texts in GBK: 茶园位于山的南坡 and a line that is searched for. */
const GBK = Uint8Array.of(
  ...[
    0xb2,
    0xe8,
    0xd4,
    0xb0,
    0xce,
    0xbb,
    0xd3,
    0xda,
    0xc9,
    0xbd,
    0xb5,
    0xc4,
    0xc4,
    0xcf,
    0xc6,
    0xc2,
    0x0d,
    0x0a,
  ],
  ...encode(`${WORD}\r\n`),
);

Deno.test("texts with CRLF, with BOMs, in UTF-16 and in GBK are found, with the lines that an editor shows", async () => {
  const utf16 = new Uint8Array(
    new Uint16Array(
      [..."\ufeff第一行\r\n", `${WORD} 红茶\r\n`].join("").split("").map((c) => c.charCodeAt(0)),
    ).buffer,
  );
  const files: Files = {
    "crlf.md": `# Tea\r\n\r\nFirst.\r\n\r\n## Mint\r\n\r\nThe ${WORD} is on line seven.\r\n`,
    "bom.txt": `\ufeff${WORD} first line\r\n`,
    "utf16.txt": utf16,
    "gbk.txt": GBK,
  };
  await using sandbox = await indexedWith(files, "");
  deepEqual(await foundIn(sandbox), Object.keys(files).sort());
  await served(sandbox, async (pipe) => {
    const read = async (path: string, line: number) =>
      textOf(await pipe.call("read_raw_file", { "file_path": path, "start_line": line, "end_line": line }));
    match(await read("crlf.md", 7), /The peppermint is on line seven\./);
    match(await read("bom.txt", 1), /(?<!\ufeff)peppermint first line/);
    match(await read("utf16.txt", 2), /peppermint 红茶/);
    match(await read("gbk.txt", 1), /茶园位于山的南坡/);
    const found = textOf(await pipe.search("line seven"));
    match(found, /crlf\.md:\d+(?:-\d+)? /);
  });
});

Deno.test("documents are read by the process without permissions, and temporary files are removed", async () => {
  const { pdf, docx } = DOCUMENTS as Record<string, Files>;
  const documents = Object.assign({}, ...[pdf, docx].filter((each) => each !== undefined)) as Files;
  const before = new Set([...Deno.readDirSync(Deno.env.get("TEMP")!)].map(({ name }) => name));
  {
    await using sandbox = await indexedWith({ ...documents, "a.md": TEA }, "");
    const { stdout, code } = await sandbox.run`status --dir ${sandbox.folder} --json`;
    equal(code, 0);
    equal(/"failed": ?[1-9]/.test(stdout), false, stdout);
  }
  const after = [...Deno.readDirSync(Deno.env.get("TEMP")!)].map(({ name }) => name);
  deepEqual(after.filter((name) => !before.has(name)), []);
});

Deno.test("the name of a backup has no character that Windows forbids, and the backup is restored", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA }, "");
  const backups = join(sandbox.cwd, "备份 backups");
  await Deno.mkdir(backups);
  const { code, stderr } = await sandbox.run`backup --dir ${sandbox.folder} --backup-path ${backups}`;
  equal(code, 0, stderr);
  const [name] = [...Deno.readDirSync(backups)].map(({ name }) => name);
  match(basename(name ?? ""), /^[^<>:"/\\|?*]+$/);
  const restored = await sandbox.run`restore ${join(backups, name!)} --dir ${sandbox.folder} --yes`;
  equal(restored.code, 0, restored.stderr);
  deepEqual(await foundIn(sandbox), ["a.md"]);
});

Deno.test("the files of state and log lie below a home folder with Chinese characters and blanks, by names that Windows allows", async () => {
  await using sandbox = await makeSandbox({ "a.md": TEA });
  const home = join(sandbox.cwd, "用户 木 雪");
  const local = join(home, "AppData", "Local");
  await Deno.mkdir(local, { recursive: true });
  for (const name of ["STATE", "CONFIG", "MODELS"]) delete sandbox.env[`MUXUE_RAG_${name}_DIR`];
  Object.assign(sandbox.env, {
    USERPROFILE: home,
    LOCALAPPDATA: local,
    APPDATA: join(home, "AppData", "Roaming"),
  });
  const { code, stderr } = await sandbox.run`--dir ${sandbox.folder} --quiet`;
  equal(code, 0, stderr);
  deepEqual(await foundIn(sandbox), ["a.md"]);
  equal(Deno.statSync(join(local, "muxue_rag", "index.key")).size, 32);
});
