import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { run } from "../../lib/cli/mod.ts";
import type { Io } from "../../lib/cli/mod.ts";
import { fakeContext } from "./_fake_io.ts";

Deno.test("run() ends quietly when the reader of stdout has gone", async () => {
  const { context, stderr } = fakeContext({
    io: { out: () => Promise.reject(new Deno.errors.BrokenPipe("gone")) },
  });
  equal(await run(["--version"], context.io, "1.2.3"), 0);
  equal(stderr(), "");
});

Deno.test("run() says in words what nobody foresaw, exit code 1", async () => {
  const { context, stderr } = fakeContext({ io: { out: () => Promise.reject(new Error("disk on fire")) } });
  equal(await run(["--version", "--language", "en"], context.io, "1.2.3"), 1);
  equal(stderr(), "Error: Internal error: disk on fire. The log has the details\n");
});

Deno.test("run() ends a question at Ctrl-C with 130, and the process at the second one", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(join(dir, ".muxue_rag"));
    let interrupt = () => {};
    const io: Partial<Io> = {
      cwd: dir,
      env: {
        MUXUE_RAG_STATE_DIR: join(dir, "state"),
        MUXUE_RAG_CONFIG_DIR: join(dir, "settings"),
        TERM: "dumb",
      },
      terminal: { stdin: true, stdout: true, stderr: true },
      onInterrupt: (callback) => {
        interrupt = callback;
        return { [Symbol.dispose]: () => {} };
      },
    };
    const once = fakeContext({
      io: {
        ...io,
        readLine: () => {
          interrupt();
          return Promise.resolve(undefined);
        },
      },
    });
    equal(await run(["clean", "--dir", ".", "--language", "en"], once.context.io, "1.2.3"), 130);
    deepEqual(once.stderr().split("\n").slice(-3), [
      "Stopping … (press Ctrl-C again to end at once)",
      "Stopped",
      "",
    ]);
    const twice = fakeContext({
      io: {
        ...io,
        readLine: () => {
          interrupt();
          interrupt();
          return Promise.resolve(undefined);
        },
        exit: (code) => {
          throw new Error(`ended with ${code}`);
        },
      },
    });
    equal(await run(["clean", "--dir", ".", "--language", "en"], twice.context.io, "1.2.3"), 1);
    equal(twice.stderr().includes("ended with 130"), true);
    equal((await Deno.stat(join(dir, ".muxue_rag"))).isDirectory, true);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
