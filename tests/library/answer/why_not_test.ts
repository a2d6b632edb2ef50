import { deepEqual, equal, match, ok } from "node:assert/strict";
import { whyNotAnswer } from "#library/answer/mod.ts";
import type { WhyNot } from "#library/search/mod.ts";
import { REASONS } from "#library/search/why_not/types.ts";

const PLACE = { path: "/d/b.md", chunk: "0", startLine: 3, endLine: 5, section: [] };

/** Facts of every kind. */
const FACTS: WhyNot["by"] = {
  rule: { pattern: "*.log", file: "/d/.gitignore", line: 2 },
  nearest: ["/d/c.md"],
  bytes: 3_000_000,
  mostBytes: 2_000_000,
  problem: "document_encrypted",
  detail: { path: "a.pdf" },
  emptyPages: [2, 3],
  keys: "chunking.max_chars",
  words: [{ word: "pump", has: "absent", chunks: 4 }],
  conditions: ["type: pdf"],
  legs: [{ leg: "keyword", rank: 70, within: 200, limit: 50 }, { leg: "vector", within: 200, limit: 50 }],
  rank: 12,
  score: 0.5,
  last: { rank: 10, score: 0.75 },
  rankBefore: 3,
  reranker: "model",
  ofFile: 3,
  most: 3,
  instead: { ...PLACE, hit: 2 },
  degree: "low",
  wanted: "high",
};

Deno.test("every reason of every gate is told in both languages, with what to do", () => {
  for (const [gate, reasons] of Object.entries(REASONS)) {
    for (const reason of reasons) {
      for (const language of ["zh", "en"] as const) {
        const result = { gate, reason, by: FACTS, passed: [], path: "/d/a.md", root: "/d" } as WhyNot;
        const { message, data } = whyNotAnswer(result, language);
        for (const text of [message, data.name, data.text, data.hint]) {
          ok(text !== "" && !/[{}]|undefined/.test(text), `${gate} ${reason}: ${text}`);
          equal(/\p{Script=Han}/u.test(text), language === "zh", `${gate} ${reason}: ${text}`);
        }
      }
    }
  }
});

Deno.test("figures, rules and words stand in the text", () => {
  const textOf = (gate: WhyNot["gate"], reason: WhyNot["reason"], setting?: WhyNot["setting"]) => {
    const result: WhyNot = {
      ...{ gate, reason, by: FACTS, passed: [], path: "/d/a.md", root: "/d" },
      ...(setting && { setting }),
    };
    const { data: { text, hint } } = whyNotAnswer(result, "en", (path) => path.replace("/d/", ""));
    return [text, hint];
  };
  deepEqual(textOf("found", "ignored"), [
    "An ignore file leaves it out: *.log in line 2 of .gitignore",
    "Remove or change the rule, or add !a.md after it",
  ]);
  deepEqual(
    textOf("candidates", "below_lists", { key: "search.fts_topn", value: 50, needed: 70 }),
    [
      "No list of candidates has it: keywords: rank 70, 50 are taken; vectors: not among the first 200, 50 are taken",
      "Change search.fts_topn from 50 to 70",
    ],
  );
  deepEqual(
    textOf("duplicate", "same_text")[0],
    "It has the same text as b.md:3-5, which stands for it (hit 2)",
  );
  match(textOf("read", "failed")[0]!, /protected by a password/);
  match(textOf("indexed", "new")[1]!, /^Update the index: muxue_rag index --dir \/d$/);
});
