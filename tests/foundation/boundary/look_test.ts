import { deepEqual, equal } from "node:assert/strict";
import { exists, isReal, lookAt, lookAtSync } from "#foundation/boundary/mod.ts";
import { ON_WINDOWS, TempDir } from "./helpers.ts";

Deno.test("lookAt() returns the entry at a path, or undefined", async () => {
  using dir = new TempDir();
  const file = dir.write("a.txt");
  for (const look of [lookAt, lookAtSync]) {
    equal((await look(file))?.isFile, true);
    equal(await look(dir.at("none")), undefined);
    equal(await look(dir.at("a.txt/below")), undefined);
  }
});

Deno.test("isReal() is true for existing paths without links", { ignore: ON_WINDOWS }, async () => {
  using dir = new TempDir();
  dir.write("sub/a.txt");
  Deno.symlinkSync("sub", dir.at("link"));
  const real = (...paths: string[]) => Promise.all(paths.map((path) => isReal(dir.at(path))));
  deepEqual(await real("sub", "sub/", "sub/a.txt"), [true, true, true]);
  deepEqual(await real("link", "link/a.txt", "none"), [false, false, false]);
});

Deno.test(
  "exists() is true for a dangling link and false for an inaccessible entry",
  { ignore: ON_WINDOWS },
  async () => {
    using dir = new TempDir();
    Deno.symlinkSync("nothing", dir.at("link"));
    equal(await exists(dir.at("link")), true);
    equal(await exists(dir.at("none")), false);
    equal(await exists(dir.at("x".repeat(300))), false);
  },
);
