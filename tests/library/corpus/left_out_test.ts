import assert from "node:assert/strict";
import { CurrentRules } from "#library/corpus/mod.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";

Deno.test("the rules of a folder give the same reason as a walk", async () => {
  using dir = new TempDir();
  await Deno.mkdir(`${dir.path}/private/deep`, { recursive: true });
  await Deno.mkdir(`${dir.path}/.git`);
  await Deno.writeTextFile(`${dir.path}/.gitignore`, "*.log\nprivate/\n");
  await Deno.writeTextFile(`${dir.path}/.muxueragignore`, "!keep.log\n");
  const options = { include: [], exclude: ["drafts/"], ignoreFiles: true };
  const leftOut = (path: string, more = {}) =>
    new CurrentRules(dir.path, { ...options, ...more }).leftOut(path);
  const reasons: Record<string, string | null> = {};
  for (
    const path of [
      "a.md",
      "a.log",
      "keep.log",
      "private/deep/a.md",
      "drafts/a.md",
      ".env",
      ".git/config",
      "run.sh",
    ]
  ) {
    reasons[path] = await leftOut(path);
  }
  assert.deepEqual(reasons, {
    "a.md": null,
    "a.log": "ignored",
    "keep.log": null,
    "private/deep/a.md": "ignored",
    "drafts/a.md": "excluded",
    ".env": "hidden",
    ".git/config": "hidden",
    "run.sh": null,
  });
  assert.equal(await leftOut("a.log", { ignoreFiles: false }), null);
  assert.equal(await leftOut("a.txt", { include: ["*.md"] }), "excluded");
});
