import assert from "node:assert/strict";
import fc from "fast-check";
import { walk } from "#library/corpus/mod.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";

/** Folders with ignore files and other files, each checked with one run of git over all. */
const CASES = 600;

const NAMES = ["a", "b", "ab", "aab", "abb", "A", "a b", "a ", "-", "[", "*a", "b]", "!a", "#b", "a\\b", "1"];
const PIECES = [
  ..."ab/*?A1 -!#^][\\".split(""),
  ...[
    "ab",
    "a b",
    "/",
    "/",
    "/",
    "*",
    "*",
    "**",
    "**/",
    "/**",
    "/**/",
    "***",
    "*a*",
    "!a",
    "\\ ",
    "\\*",
    "\\a",
    "\\[",
  ],
  ...[
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-b]",
    "[]a]",
    "[!]]",
    "[b-",
    "[a",
    "[\\]]",
    "[[:alpha:]]",
    "[[:nope:]]",
    "[[:a]",
  ],
  ...["[A-Z]", "[*a]", "[1-]", "[-a]", "[a/b]", "  ", "\\!", "\\#"],
];

const rule = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join("")).filter((text) => !isGitsOwn(text));
const rules = fc.array(rule, { minLength: 1, maxLength: 5 });
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) =>
  names.join("/")
);
const folderCase = fc.record({
  rules,
  deeper: fc.option(fc.record({ folder: fc.constantFrom("a", "ab", "a/b"), rules })),
  paths: fc.array(path, { minLength: 4, maxLength: 12 }),
});

/**
 * Whether git contradicts its manual for a rule. Git treats stars after a literal prefix, as in `a**` + `/b`, as if they
 * followed a slash, and an escaped slash does not end a folder.
 */
function isGitsOwn(text: string): boolean {
  return /^!?\/?[^*?[\\]+(?<!\/)\*\*+(\/|$)/.test(text) || /\\\//.test(text);
}

async function ignoredByGit(root: string, paths: readonly string[]): Promise<Set<string>> {
  const git = async (args: string[], input = "") => {
    const child = new Deno.Command("git", {
      args: ["-c", "core.ignoreCase=false", ...args],
      cwd: root,
      env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const writing = new Blob([input]).stream().pipeTo(child.stdin);
    const { stdout } = await child.output();
    await writing;
    return new TextDecoder().decode(stdout);
  };
  await git(["init", "--quiet"]);
  const output = await git(["check-ignore", "--no-index", "--stdin", "-z"], paths.join("\0") + "\0");
  return new Set(output.split("\0").filter((each) => each !== ""));
}

function hasGit(): boolean {
  try {
    return new Deno.Command("git", { args: ["--version"] }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "walk() ignores the same files as git, for random rules",
  ignore: Deno.build.os !== "linux" || !hasGit(),
  async fn() {
    using temp = new TempDir();
    const cases = fc.sample(folderCase, { numRuns: CASES, seed: 9 });
    const paths: string[] = [];
    for (const [at, { rules, deeper, paths: below }] of cases.entries()) {
      const files = new Set<string>();
      const folders = new Set<string>(deeper === null ? [] : ["a", deeper.folder]);
      for (const path of below) {
        const parents = path.split("/").map((_, i, parts) => parts.slice(0, i).join("/")).slice(1);
        if (folders.has(path) || parents.some((parent) => files.has(parent))) continue;
        files.add(path);
        for (const parent of parents) folders.add(parent);
      }
      for (const path of files) paths.push(`${at}/${path}`);
      for (const path of files) temp.write(`${at}/${path}`);
      temp.write(`${at}/.gitignore`, rules.join("\n"));
      if (deeper !== null) temp.write(`${at}/${deeper.folder}/.gitignore`, deeper.rules.join("\n") + "\n");
    }
    const ignored = await ignoredByGit(temp.path, paths);
    const expected = paths.filter((path) => !ignored.has(path)).sort();

    const options = { include: [], exclude: [], ignoreFiles: true, maxFileBytes: 1_000 };
    const found = (await Array.fromAsync(walk(temp.path, options)))
      .flatMap(({ kind, path }) => kind === "file" ? path : []).sort();

    const wrong = [...new Set(found).symmetricDifference(new Set(expected))];
    const told = wrong.slice(0, 10).map((path) => ({
      path,
      git: ignored.has(path) ? "ignored" : "taken",
      ...cases[Number(path.split("/")[0])],
    }));
    assert.deepEqual(told, []);
    assert.ok(paths.length > 3_000 && ignored.size > 500 && expected.length > 500);
  },
});
