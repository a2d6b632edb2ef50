import { equal } from "node:assert/strict";
import { isTrulyAt } from "#foundation/boundary/open_file.ts";
import { TempDir } from "./helpers.ts";

Deno.test("isTrulyAt() is true for the real path of the open file only", () => {
  using dir = new TempDir();
  const [path, other] = [dir.write("file"), dir.write("other")];
  const opened = Deno.statSync(path);
  equal(isTrulyAt(path, opened, () => true), true);
  equal(isTrulyAt(path, opened, () => false), false);
  equal(isTrulyAt(other, opened, () => true), false);
  equal(isTrulyAt(dir.at("none"), opened, () => true), false);
});

Deno.test("isTrulyAt() detects a folder that is exchanged for a link between two checks", () => {
  using dir = new TempDir();
  const [path, secret] = [dir.write("file"), Deno.statSync(dir.write("secret"))];
  const { lstatSync } = Deno;
  // Each check finds one of these at the path: the link to the secret, or the folder.
  for (
    const isLink of [(at: number) => at % 2 === 0, (at: number) => at % 2 === 1, () => Math.random() < 0.5]
  ) {
    let asked = 0;
    Deno.lstatSync = (path) => isLink(asked++) ? secret : lstatSync(path);
    try {
      for (let tries = 0; tries < 20; tries++) equal(isTrulyAt(path, secret, () => !isLink(asked++)), false);
    } finally {
      Deno.lstatSync = lstatSync;
    }
  }
});
