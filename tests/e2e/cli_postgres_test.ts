import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { usingPglite } from "../_pglite.ts";
import { openPipe } from "./_mcp_pipe.ts";
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
    const again = await reader.run`search ${"unpack the archive"} ${other} --language en`;
    match(again.stdout, /guide\.md/);
    doesNotMatch(again.stderr, /could not be updated/);
  });
});

Deno.test("a machine without the files is told the state of the index in the database", async () => {
  await usingPglite(async (url, { schema }) => {
    await using writer = await makeSandbox(NOTES);
    const indexed = await writer.run`index ${await configure(writer, url, schema)}`;
    equal(indexed.code, 0, indexed.stderr);
    await using reader = await makeSandbox({});
    await Deno.remove(reader.folder);
    const config = await configure(reader, url, schema);

    const status = await reader.run`status ${config} --language en`;
    equal(status.code, 0, status.stderr);
    match(status.stdout, /State\s+ready/);
    match(status.stdout, /Stored in\s+postgres:.*\(notes\)/);
    match(status.stdout, /Folder\s+the files are not on this machine and were not compared/);
    doesNotMatch(status.stdout, /To update/);
    const { data } = JSON.parse((await reader.run`status --files ${config} --json`).stdout);
    deepEqual(
      data.folders[0].files.map(({ path, state }: { path: string; state: string }) => [path, state]),
      ["guide.md", "recipe.txt", "备份.md"].map((path) => [path, "indexed"]),
    );
    for (const deep of [[], ["--deep"]]) {
      const verified = await reader.run`verify ${deep} ${config} --language en`;
      equal(verified.code, 0, verified.stderr);
      match(verified.stdout, /Verdict\s+sound\n/);
      match(verified.stdout, /Folder\s+the files are not on this machine and were not compared/);
    }
    match((await reader.run`doctor ${config} --language en`).stdout, /\(collection notes\): ready/);

    const empty = await reader.run`search lamp ${await configure(reader, url, `${schema}_2`)} --language en`;
    equal(empty.code, 1);
    match(empty.stderr, /has no index of .* yet\. Build it on the machine that has the files/);
  });
});

Deno.test("servers of several machines answer from one database, and see what one of them indexes", async () => {
  await usingPglite(async (url, { schema }) => {
    await using writer = await makeSandbox(NOTES);
    await using reader = await makeSandbox({});
    await Deno.remove(reader.folder);
    await using writing = await openPipe(writer, await configure(writer, url, schema));
    await writing.searchUntil("unpack the archive", (text) => text.includes("guide.md"));
    await using reading = await openPipe(reader, await configure(reader, url, schema));
    await reading.searchUntil("unpack the archive", (text) => text.includes("guide.md"));
    const { result } = await reading.call("read_raw_file", { file_path: join(reader.folder, "guide.md") });
    const [{ text }] = result.content;
    match(text, /Unpack the archive and run it\./);
    match(text, /该文件在另一台机器上/);
    await Deno.writeTextFile(join(writer.folder, "new.md"), "Lanterns are lit at dusk.\n");
    await reading.searchUntil("lanterns at dusk", (text) => text.includes("new.md"));
    const { code, stderr } = await reading.end();
    equal(code, 0);
    equal(stderr.match(/不在本机，只检索其索引，不更新/g)?.length, 1);
    doesNotMatch(stderr, /不见了/);
    equal((await writing.end()).code, 0);
  });
});

Deno.test("a folder without a name, and two folders with one, are not kept in a database", async () => {
  await usingPglite(async (url, { schema }) => {
    await using sandbox = await makeSandbox({ "one/docs/a.md": "Tea.\n", "two/docs/a.md": "Coffee.\n" });
    const { folder, cwd, env, run } = sandbox;
    Object.assign(env, {
      MUXUE_RAG_STORE_PROVIDER: "postgres",
      MUXUE_RAG_STORE_URL: url,
      MUXUE_RAG_STORE_SCHEMA: schema,
    });
    for (const command of ["index", "status"]) {
      const unnamed = await run(command, "--dir", `${folder}/one/docs`);
      equal(unnamed.code, 1, unnamed.stderr);
      match(unnamed.stderr + unnamed.stdout, /one\/docs 在数据库中没有名称/);
    }
    const path = join(cwd, "config.yaml");
    await Deno.writeTextFile(
      path,
      `collections:\n  one: {path: "${folder}/one/docs", store: {collection: two}}\n  two: {path: "${folder}/two/docs"}\n`,
    );
    const same = await run("index", `${folder}/one/docs`, "--config", path);
    equal(same.code, 2, same.stdout);
    match(same.stderr, /都叫 two/);
  });
});

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
