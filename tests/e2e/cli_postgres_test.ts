import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { usingPglite } from "../_pglite.ts";
import { makeSandbox, NOTES, type Sandbox } from "./_program.ts";

/** Writes a configuration that keeps the folder in a database, as the collection `notes`. */
async function configure(sandbox: Sandbox, url: string, schema: string): Promise<string[]> {
  const path = join(sandbox.cwd, "config.yaml");
  await Deno.writeTextFile(
    path,
    `store: {provider: postgres, url: "${url}", schema: ${schema}}\ncollections: {notes: {path: "${sandbox.folder}"}}\n`,
  );
  return ["--config", path];
}

Deno.test("a folder is kept in a database, and searched where its files are not", async () => {
  await usingPglite(async (url, { schema }) => {
    await using writer = await makeSandbox(NOTES);
    const config = await configure(writer, url, schema);
    const indexed = await writer.run`index ${config}`;
    equal(indexed.code, 0, indexed.stderr);
    equal(await exists(join(writer.folder, ".muxue_rag")), false);
    const found = await writer.run`search ${"unpack the archive"} ${config} --json`;
    equal(found.code, 0, found.stderr);
    match(found.stdout, /guide\.md/);

    await using reader = await makeSandbox({});
    await Deno.remove(reader.folder);
    const other = await configure(reader, url, schema);
    const read = await reader.run`search ${"unpack the archive"} ${other} --json`;
    equal(read.code, 0, read.stderr);
    const { data } = JSON.parse(read.stdout);
    deepEqual(data.file_info[0], { file_path: join(reader.folder, "guide.md"), file_name: "guide.md" });
    const { code, stderr } = await reader.run`index ${other}`;
    equal(code, 1, stderr);
    match(stderr, /目录不存在/);
    match((await reader.run`search ${"unpack the archive"} ${other}`).stdout, /guide\.md/);
  });
});

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
