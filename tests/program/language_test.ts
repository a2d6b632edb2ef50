import { equal } from "node:assert/strict";
import { languageAskedFor } from "#program/run.ts";

Deno.test("languageAskedFor() reads the flag before the environment", () => {
  equal(languageAskedFor(["search", "x", "--language", "en"], { MUXUE_RAG_LANGUAGE: "zh" }), "en");
  equal(languageAskedFor(["--language=zh"], { MUXUE_RAG_LANGUAGE: "en" }), "zh");
  equal(languageAskedFor(["--dir", "a"], { MUXUE_RAG_LANGUAGE: "en" }), "en");
});

Deno.test("languageAskedFor() ignores unknown languages", () => {
  equal(languageAskedFor(["--language"], {}), undefined);
  equal(languageAskedFor(["--language", "fr"], { MUXUE_RAG_LANGUAGE: "de" }), undefined);
  equal(languageAskedFor(["search", "--", "--language", "en"], {}), undefined);
});
