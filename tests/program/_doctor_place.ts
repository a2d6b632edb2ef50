import { equal } from "node:assert/strict";
import { join } from "node:path";
import { run } from "#program/mod.ts";
import { fakeContext } from "./_fake_io.ts";

/** A temporary folder. The program runs in it, inside this process. */
export async function place() {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  const env: Record<string, string> = {
    MUXUE_RAG_STATE_DIR: join(dir, "state"),
    MUXUE_RAG_CONFIG_DIR: join(dir, "settings"),
    MUXUE_RAG_LANGUAGE: "en",
  };
  return {
    dir,
    env,
    /** Names a server in the environment. */
    use(url: string, more: Record<string, string> = {}) {
      Object.assign(env, {
        MUXUE_RAG_EMBEDDING_PROVIDER: "openai-compatible",
        MUXUE_RAG_EMBEDDING_BASE_URL: url,
        MUXUE_RAG_EMBEDDING_MODEL: "test-embed",
        ...more,
      });
    },
    async index(name: string) {
      equal(
        await run(["--dir", name, "--quiet"], fakeContext({ io: { cwd: dir, env } }).context.io, "1.2.3"),
        0,
      );
    },
    async run(...argv: string[]) {
      const { context, stdout, stderr } = fakeContext({ io: { cwd: dir, env } });
      const code = await run(["doctor", ...argv], context.io, "1.2.3");
      return { code, stdout: stdout().replace(/[\d.]+ s\n/, "T\n"), stderr: stderr() };
    },
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}
