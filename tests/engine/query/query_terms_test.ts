import { deepEqual } from "node:assert/strict";
import { Tokenizer } from "#engine/index/mod.ts";
import { contentOf, queryTerms, Synonyms } from "#engine/query/mod.ts";

const tokenizer = new Tokenizer();

/** Returns the terms of a question with rounded weights. */
function weights(question: string, groups: readonly (readonly string[])[] = []): Record<string, number> {
  const terms = queryTerms(tokenizer, contentOf(question), new Synonyms(tokenizer, groups));
  return Object.fromEntries(terms.map(({ term, weight }) => [term, Math.round(weight * 100) / 100]));
}

const GROUPS = [["k8s", "Kubernetes"], ["电脑", "计算机", "computer"], ["IT", "信息技术"]];

Deno.test("stop words have a small weight, question words have no terms, and no bigram spans them", () => {
  deepEqual(weights("how is the index written"), { index: 1, written: 1, how: 0.2, is: 0.2, the: 0.2 });
  deepEqual(weights("世界第一如何备份"), {
    世: 0.5,
    界: 0.5,
    世界: 1,
    第: 0.5,
    界第: 1,
    一: 0.5,
    第一: 1,
    备: 0.5,
    份: 0.5,
    备份: 1,
  });
  deepEqual(weights("what is it"), { what: 1, is: 1, it: 1 });
});

Deno.test("traditional and full-width forms give the terms of simplified and half-width forms", () => {
  deepEqual(weights("電腦"), weights("电脑"));
  deepEqual(weights("ＭＣＰ"), weights("mcp"));
});

Deno.test("a word of a group adds the other words with half its weight, no matter how many terms they have", () => {
  deepEqual(weights("install kubernetes", GROUPS), {
    instal: 1,
    kubernet: 1,
    k8s: 0.13,
    k: 0.13,
    "8": 0.13,
    s: 0.13,
  });
  deepEqual(weights("Computers", GROUPS), {
    comput: 1,
    电: 0.13,
    脑: 0.13,
    电脑: 0.25,
    计: 0.07,
    算: 0.07,
    计算: 0.14,
    机: 0.07,
    算机: 0.14,
  });
  deepEqual(weights("舊電腦", [["电脑", "PC"]]), { 旧: 0.5, 电: 0.5, 旧电: 1, 脑: 0.5, 电脑: 1, pc: 0.5 });
});

Deno.test("a term of the question keeps its weight if it is also a synonym", () => {
  deepEqual(weights("k8s kubernetes", GROUPS), { k8s: 1, k: 1, "8": 1, s: 1, kubernet: 1 });
  deepEqual(weights("notebook or laptop computer", [["notebook", "laptop computer"]]), {
    notebook: 1,
    laptop: 1,
    comput: 1,
    or: 0.2,
  });
});

Deno.test("synonyms match only whole content words", () => {
  deepEqual(weights("how does it work", GROUPS), { work: 1, how: 0.2, doe: 0.2, it: 0.2 });
  deepEqual(Object.keys(weights("our IT budget", GROUPS)).includes("信息"), true);
  deepEqual(weights("supercomputing", GROUPS), { supercomput: 1 });
  deepEqual(new Synonyms(tokenizer, GROUPS).in("K8S on a computer"), [
    { word: "k8s", others: ["Kubernetes"] },
    { word: "computer", others: ["电脑", "计算机"] },
  ]);
});
