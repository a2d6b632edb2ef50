import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import type { Io } from "#program/io.ts";
import { run } from "#program/mod.ts";
import { fakeContext } from "./_fake_io.ts";

/** Indexed folders `notes` and `other`, and the program at a terminal whose user types `answer`. */
async function place() {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  const at = (path: string) => join(dir, path);
  const env = {
    MUXUE_RAG_STATE_DIR: at("state"),
    MUXUE_RAG_CONFIG_DIR: at("settings"),
    MUXUE_RAG_LANGUAGE: "en",
  };
  const program = async (argv: readonly string[], answer?: string) => {
    const io: Partial<Io> = answer === undefined ? {} : {
      terminal: { stdin: true, stdout: true, stderr: true },
      readLine: () => Promise.resolve(answer),
    };
    const { context, stdout, stderr } = fakeContext({
      io: { cwd: dir, env: { ...env, NO_COLOR: "1" }, ...io },
    });
    return { code: await run(argv, context.io, "1.2.3"), stdout: stdout(), stderr: stderr() };
  };
  for (const name of ["notes", "other"]) {
    await Deno.mkdir(at(name));
    await Deno.writeTextFile(join(at(name), `${name}.txt`), `Text of ${name}.\n`);
    equal((await program(["index", name])).code, 0);
  }
  return { at, program, [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
}

Deno.test("restore tells in its question that the backup is of another folder, and follows the answer", async () => {
  await using here = await place();
  equal((await here.program(["backup", "--dir", "notes", "-bp", "notes.bak"])).code, 0);
  const before = await Deno.readFile(here.at("other/.muxue_rag/index.bin"));
  const declined = await here.program(["restore", "notes.bak", "--dir", "other"], "n");
  equal(declined.code, 1);
  match(
    declined.stderr,
    /^Only 0 of the 1 file in the backup are in \S+\/other\. It may be the backup of another folder\. Make it the index of \S+ all the same\? \[y\/N\] /,
  );
  deepEqual(await Deno.readFile(here.at("other/.muxue_rag/index.bin")), before);
  const accepted = await here.program(["restore", "notes.bak", "--dir", "other"], "y");
  equal(accepted.code, 0, accepted.stderr);
  const own = await here.program(["restore", "notes.bak", "--dir", "notes"], "y");
  equal(own.code, 0);
  match(
    own.stderr,
    /^\S+\/notes already has an index\. The backup \S+ will replace it\. Continue\? \[y\/N\] $/,
  );
});

Deno.test("backup asks before it creates a folder, and follows the answer", async () => {
  await using here = await place();
  const backup = (answer: string) =>
    here.program(["backup", "--dir", "notes", "-bp", "copies/x.bak"], answer);
  const declined = await backup("n");
  equal(declined.code, 1);
  match(
    declined.stderr,
    /^The folder \S+copies does not exist\. Create it\? \[y\/N\] Cancelled\. Nothing was changed\n$/,
  );
  equal(await exists(here.at("copies")), false);
  equal((await backup("y")).code, 0);
  equal(await exists(here.at("copies/x.bak")), true);
});

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
