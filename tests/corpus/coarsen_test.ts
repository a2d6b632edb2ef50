import assert from "node:assert/strict";
import fc from "fast-check";
import ignore from "ignore";
import { coarsen } from "../../lib/corpus/coarsen.ts";

Deno.test("coarsen() keeps the first pieces and the last of what too many wildcards separate", () => {
  const expected: Record<string, string> = {
    "*-*-*.txt": "*-*-*.txt",
    "*-*-*-*-*.txt": "*-*-*.txt",
    "/docs/a*b*c*d*e/*.md": "/docs/a*b*c*e/*.md",
    "***a**b*c*d": "*a*b*d",
    "\\*a\\*b\\*c\\*d\\*e": "\\*a\\*b\\*c\\*d\\*e",
    "[0-9]*[!a-z]*?*[ab]*[x].log": "[0-9]*[!a-z]*?*[x].log",
    "a/**/b/**/c/**/d": "a/**/b/**/c/**/d",
    "a/**/b/**/c/**/d/**/e": "a/**/b/**/c/**/e",
    "a/**/b/**/c/**/d/**": "a/**/b/**/c/**",
    "**/a/**/b/**/c/**/d*e*f*g*h/": "**/a/**/b/**/d*e*f*h/",
    "a/b[]*/]c/*d*e*f*g": "a/b*",
    "a\\[*b*c*d*e": "a\\[*b*c*e",
    "a*b*c*d*e[": "a*b*c*",
  };
  const got = Object.fromEntries(Object.keys(expected).map((pattern) => [pattern, coarsen(pattern)]));
  assert.deepEqual(got, expected);
});

Deno.test("coarsen() leaves few wildcards, and matches whatever the pattern matches", () => {
  const word = (...parts: string[]) => fc.array(fc.constantFrom(...parts), { maxLength: 14 });
  const patterns = word(
    "*",
    "*",
    "*a*",
    "**/",
    "/**/",
    "/",
    "a",
    "b",
    "[ab]",
    "[!a]",
    "[",
    "]",
    "?",
    "\\*",
    "\\[",
  );
  const paths = word("a", "b", "a", "ab", "/", "/", "*", "[");
  fc.assert(
    fc.property(patterns, paths, fc.boolean(), (patternParts, pathParts, isFolder) => {
      const pattern = patternParts.join("");
      const coarse = coarsen(pattern);
      assert.ok(
        coarse.split("/").every((part) => (part.replaceAll("\\*", "").match(/\*+/g)?.length ?? 0) <= 3),
      );
      assert.ok(coarse.split("/").filter((part) => /^\*\*+$/.test(part)).length <= 3);
      const path = pathParts.join("").replace(/\/+/g, "/").replace(/^\/|\/$/g, "") + (isFolder ? "/" : "");
      if (path.replace("/", "") === "") return;
      const matches = (one: string) => ignore().add({ pattern: one }).ignores(path);
      if (matches(pattern)) assert.ok(matches(coarse), `${pattern} matches ${path}, ${coarse} does not`);
    }),
    { numRuns: 2000 },
  );
});
