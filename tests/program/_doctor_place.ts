import { equal } from "node:assert/strict";
import { place as folder } from "./_place.ts";

/** A temporary folder in which `doctor` runs. */
export async function place() {
  const here = await folder();
  return {
    ...here,
    /** Names a server in the environment. */
    use(url: string, more: Record<string, string> = {}) {
      Object.assign(here.env, {
        MUXUE_RAG_EMBEDDING_PROVIDER: "openai-compatible",
        MUXUE_RAG_EMBEDDING_BASE_URL: url,
        MUXUE_RAG_EMBEDDING_MODEL: "test-embed",
        ...more,
      });
    },
    async index(name: string) {
      equal((await here.run(["--dir", name, "--quiet"])).code, 0);
    },
    async run(...argv: string[]) {
      const { stdout, ...rest } = await here.run(["doctor", ...argv]);
      return { ...rest, stdout: stdout.replace(/[\d.]+ s\n/, "T\n") };
    },
  };
}
