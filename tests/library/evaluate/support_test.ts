import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import {
  evaluateSupport,
  parseSupportThreshold,
  readClaims,
  supportShortfalls,
} from "#library/evaluate/mod.ts";

const PASSAGE = "The bridge is 1,149 m long and has eight lanes.";

const claim = (text: string, label: string) => ({ claim: text, passages: [PASSAGE], label });

/** Reads these lines from a file. */
async function read(...lines: unknown[]) {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    await Deno.writeTextFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return await readClaims(path);
  } finally {
    await Deno.remove(path);
  }
}

async function measured(...lines: unknown[]) {
  const { name: _, milliseconds: __, ...figures } = await evaluateSupport((await read(...lines))!);
  return figures;
}

Deno.test("the figures of claims of which one of three without support is taken for supported", async () => {
  deepEqual(
    await measured(
      claim("The bridge is 1,149 m long.", "supported"),
      claim("The bridge has eight lanes.", "supported"),
      claim("The bridge is 1,194 m long.", "not"),
      claim("Cheese melts in the sun.", "partly"),
      // The checker cannot know better.
      claim("The bridge has eight lanes.", "not"),
    ),
    { claims: 5, supported: 2, auc: 5 / 6, accuracy: (2 / 3 + 1) / 2, precision: 1, recall: 2 / 3 },
  );
});

Deno.test("a figure that does not exist is null, and reaches no minimum", async () => {
  const result = await measured(claim("The bridge has eight lanes.", "supported"));
  deepEqual(result, { claims: 1, supported: 1, auc: null, accuracy: null, precision: null, recall: null });
  const min = parseSupportThreshold("auc=0.8");
  deepEqual(supportShortfalls([min], { ...result, name: "a", milliseconds: 1 }), [
    { name: "a", metric: "auc", value: 0.8, reached: null },
  ]);
});

Deno.test("a file of queries is no file of claims, and a claim without passages or label is named", async () => {
  equal(await read({ query: "how long", files: ["a.md"] }), undefined);
  equal(await read(), undefined);
  for (const wrong of [{ claim: "x", label: "not" }, { claim: "x", passages: ["y"] }, { claim: 1 }]) {
    await rejects(read(claim("x", "not"), wrong), { key: "eval_bad_line" });
  }
});

Deno.test("minima name a figure of claims", () => {
  deepEqual(parseSupportThreshold(" AUC=.8 "), { metric: "auc", value: 0.8 });
  for (const wrong of ["ndcg@10=0.5", "auc=80", "auc", "hybrid:auc=0.8"]) {
    throws(() => parseSupportThreshold(wrong), { key: "eval_bad_support_min" });
  }
});
