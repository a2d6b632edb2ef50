import { deepEqual, equal } from "node:assert/strict";
import { TokenFolder } from "#library/people/token_folder.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { ON_WINDOWS } from "../../_posix.ts";
import { PROMISES, token } from "./_token_stores.ts";

for (const [promise, keep] of Object.entries(PROMISES)) {
  Deno.test(`the folder of tokens ${promise}`, async () => {
    using dir = new TempDir();
    await keep(new TokenFolder(dir.path));
  });
}

Deno.test("files of tokens are read by their owner only, and no file has a token", async () => {
  using dir = new TempDir();
  await new TokenFolder(dir.path).add(token("ann"));
  const [{ name }] = [...Deno.readDirSync(dir.at("tokens"))] as [Deno.DirEntry];
  if (!ON_WINDOWS) equal((await Deno.stat(dir.at(`tokens/${name}`))).mode! & 0o777, 0o600);
  equal((await Deno.readTextFile(dir.at(`tokens/${name}`))).includes("mxr_"), false);
});

Deno.test("a damaged file counts as a token that nobody has", async () => {
  const written = JSON.parse(JSON.stringify(token("ann", { access: { levels: ["a"] } })));
  const damages: unknown[] = [
    "",
    "{",
    "null",
    "[]",
    { ...written, hash: "ab" },
    { ...written, hash: 1 },
    { ...written, grants: {} },
    { ...written, grants: [{ collection: "alpha", right: "admin" }] },
    { ...written, grants: [null] },
    // A limit that is not understood must not be left out.
    { ...written, access: { tags: ["a"] } },
    { ...written, access: { levels: ["a"], tags: ["a"] } },
    { ...written, hosts: ["127.0.0.1"] },
    { ...written, grants: [{ collection: "alpha", right: "read", until: "2027-01-31" }] },
    { ...written, access: [] },
    { ...written, access: { levels: "a" } },
    { ...written, expires: "later" },
    { ...written, expires: 1 },
    { ...written, revoked: false },
    { ...written, made: undefined },
    "x".repeat(300_000),
  ];
  for (const damage of damages) {
    using dir = new TempDir();
    const text = typeof damage === "string" ? damage : JSON.stringify(damage);
    const name = `${"0".repeat(32)}.json`;
    dir.write(`tokens/${name}`, text);
    const [found, ...others] = await new TokenFolder(dir.path).list();
    deepEqual(
      [found?.name, found?.grants, found?.revoked, others],
      [name, [], new Date(0), []],
      text.slice(0, 80),
    );
  }
});
