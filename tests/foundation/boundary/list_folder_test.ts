import { deepEqual, equal, throws } from "node:assert/strict";
import { findEntries, linkLeadsOut, listFolder } from "#foundation/boundary/mod.ts";
import { ON_WINDOWS, TempDir } from "./helpers.ts";

const names = (real: string) => listFolder(real).map(({ name }) => name).sort();

Deno.test("listFolder() returns the entries of a folder", () => {
  using dir = new TempDir();
  dir.write("a.txt");
  dir.write("sub/b.txt");
  deepEqual(names(dir.path), ["a.txt", "sub"]);
  throws(() => listFolder(dir.at("none")), Deno.errors.NotFound);
});

Deno.test("findEntries() returns the named entries of a folder, and refuses a link to one", {
  ignore: ON_WINDOWS,
}, () => {
  using dir = new TempDir();
  dir.write("root/a.txt");
  dir.write("root/b.txt");
  dir.write("root/sub/c.txt");
  const listed = listFolder(dir.at("root")).filter(({ name }) => name !== "b.txt");
  deepEqual(
    findEntries(dir.at("root"), ["a.txt", "sub", "none"]),
    listed.sort((a, b) => a.name < b.name ? -1 : 1),
  );
  Deno.symlinkSync(dir.at("root"), dir.at("link"));
  throws(() => findEntries(dir.at("link"), ["a.txt"]), { key: "no_permission" });
  throws(() => findEntries(dir.at("none"), ["a.txt"]), Deno.errors.NotFound);
});

Deno.test("findEntries() does not vouch for a name that finds the same file in another spelling", {
  ignore: ON_WINDOWS,
}, () => {
  using dir = new TempDir();
  dir.write("a.txt");
  // As on a system that ignores case.
  if (Deno.build.os === "linux") Deno.linkSync(dir.at("a.txt"), dir.at("A.TXT"));
  equal(findEntries(dir.path, ["a.txt"]), undefined);
});

Deno.test("listFolder() refuses a link to a folder, and a folder below a link", {
  ignore: ON_WINDOWS,
}, () => {
  using dir = new TempDir();
  dir.write("root/sub/deep/a.txt");
  dir.write("secret/deep/key.txt");
  deepEqual(names(dir.at("root/sub/deep")), ["a.txt"]);
  Deno.renameSync(dir.at("root/sub"), dir.at("moved"));
  Deno.symlinkSync(dir.at("secret"), dir.at("root/sub"));
  for (const path of ["root/sub", "root/sub/deep"]) {
    throws(() => listFolder(dir.at(path)), { key: "no_permission", params: { path: dir.at(path) } });
  }
});

Deno.test("listFolder() returns only entries of every listing", () => {
  using dir = new TempDir();
  for (const name of ["a.txt", "b.txt", "c.txt"]) dir.write(name);
  const { readDirSync } = Deno;
  let looks = 0;
  Deno.readDirSync = (path) => {
    const isFirst = looks++ === 0;
    const entries = [...readDirSync(path)];
    const other = entries.map((entry) =>
      entry.name === "b.txt" ? { ...entry, isFile: false, isDirectory: true } : entry
    );
    return (isFirst ? [...entries, { ...entries[0]!, name: "secret.txt" }] : other).values();
  };
  try {
    deepEqual(names(dir.path), ["a.txt", "c.txt"]);
  } finally {
    Deno.readDirSync = readDirSync;
  }
});

Deno.test(
  "linkLeadsOut() is true for links that leave the folder",
  { ignore: ON_WINDOWS },
  async () => {
    using dir = new TempDir();
    dir.write("root/a.txt");
    dir.write("root-secret/key.txt");
    const expected = {
      "a.txt": false,
      "nothing": false,
      "../root-secret/key.txt": true,
      "..": true,
      "/etc": true,
      "link": true,
    };
    for (const [target, leadsOut] of Object.entries(expected)) {
      Deno.symlinkSync(target, dir.at("root/link"));
      equal(await linkLeadsOut(dir.at("root/link"), dir.at("root")), leadsOut, target);
      Deno.removeSync(dir.at("root/link"));
    }
  },
);
