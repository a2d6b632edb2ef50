import { deepEqual } from "node:assert/strict";
import { environmentFor } from "#program/launch.ts";

Deno.test("environmentFor() keeps folders, language and terminal, and no secrets", () => {
  deepEqual(
    environmentFor({
      HOME: "/home/me",
      XDG_STATE_HOME: "/home/me/.state",
      LC_ALL: "zh_CN.UTF-8",
      TERM: "xterm",
      NO_COLOR: "1",
      TERM_PROGRAM: "WezTerm",
      TERM_SESSION_ID: "w0",
      MUXUE_RAG_STATE_DIR: "/s",
      MUXUE_RAG_MODELS_DIR: "/m",
      MUXUE_RAG_PASSPHRASE: "secret",
      MUXUE_RAG_EMBEDDING_API_KEY: "secret",
      OPENAI_API_KEY: "secret",
      PATH: "/bin",
    }),
    {
      HOME: "/home/me",
      XDG_STATE_HOME: "/home/me/.state",
      LC_ALL: "zh_CN.UTF-8",
      TERM: "xterm",
      NO_COLOR: "1",
      TERM_PROGRAM: "WezTerm",
      MUXUE_RAG_STATE_DIR: "/s",
      MUXUE_RAG_MODELS_DIR: "/m",
    },
  );
});
