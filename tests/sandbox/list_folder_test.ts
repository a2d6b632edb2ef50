import { deepEqual, equal, throws } from "node:assert/strict";
import { linkLeadsOut, listFolder } from "../../lib/sandbox/mod.ts";
import { ON_WINDOWS, TempDir } from "./helpers.ts";

const names = (real: string) => listFolder(real).map(({ name }) => name).sort();

Deno.test("listFolder() returns the entries of a folder", () => {
  using dir = new TempDir();
  dir.write("a.txt");
  dir.write("sub/b.txt");
  deepEqual(names(dir.path), ["a.txt", "sub"]);
  throws(() => listFolder(dir.at("none")), Deno.errors.NotFound);
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
