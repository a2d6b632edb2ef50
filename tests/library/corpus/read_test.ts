import assert from "node:assert/strict";
import { readFileBytes, readTextFile } from "#library/corpus/mod.ts";
import { bytesToText } from "#documents/mod.ts";
import { assertUserError, IS_ROOT, ON_WINDOWS, TempDir } from "../../foundation/boundary/helpers.ts";
import { ON_WINE } from "../../_posix.ts";

Deno.test("readTextFile() returns text, encoding, size, time and hash", async () => {
  using temp = new TempDir();
  const path = temp.write("a b 🎉.txt", Uint8Array.fromHex("d6d0cec40d0a"));
  Deno.utimeSync(path, 1_700_000_000, 1_700_000_000);
  const { birthtimeMs, ...read } = await readTextFile(path);
  if (!ON_WINE) assert.equal(birthtimeMs, undefined);
  assert.deepEqual(read, {
    text: "中文\r\n",
    encoding: "gb18030",
    replaced: 0,
    size: 6,
    mtimeMs: 1_700_000_000_000,
    sha256: new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.fromHex("d6d0cec40d0a"))),
  });
  assert.equal((await readTextFile(path, { encoding: "latin1" })).text, "ÖÐÎÄ\r\n");
});

Deno.test("readFileBytes() returns the bytes, also of an empty file", async () => {
  using temp = new TempDir();
  const { bytes, size, sha256 } = await readFileBytes(temp.write("a", Uint8Array.of(0, 1, 255)));
  assert.deepEqual([bytes, size], [Uint8Array.of(0, 1, 255), 3]);
  assert.equal(sha256.length, 32);
  assert.equal((await readFileBytes(temp.write("empty", ""))).size, 0);
});

Deno.test("readTextFile() throws errors with the path", async () => {
  using temp = new TempDir();
  const missing = await assertUserError(() => readTextFile(temp.at("missing")), "file_not_found");
  assert.deepEqual(missing.params, { path: temp.at("missing") });
  await assertUserError(() => readTextFile(temp.path), "not_a_file");
  const picture = temp.write("picture.txt", Uint8Array.fromHex("89504e470d0a1a0a0000000d"));
  await assertUserError(() => readTextFile(picture), "not_text");
  const wide = temp.write("wide.txt", Uint8Array.fromHex("fffe000061000000"));
  const error = await assertUserError(() => readTextFile(wide), "unsupported_encoding");
  assert.equal(error.params.path, wide);
});

Deno.test("readTextFile() refuses a file over the limit, with both sizes in MB", async () => {
  using temp = new TempDir();
  const path = temp.write("a.txt", "x".repeat(3_000_000));
  const error = await assertUserError(() => readTextFile(path, { maxBytes: 1_000_000 }), "file_too_large");
  assert.deepEqual(error.params, { path, size: 3, limit: 1 });
  assert.equal((await readTextFile(path, { maxBytes: 3_000_000 })).size, 3_000_000);
});

Deno.test({
  name: "readTextFile() refuses links and files without read permission",
  ignore: ON_WINDOWS,
  async fn() {
    using temp = new TempDir();
    const path = temp.write("a.txt");
    Deno.symlinkSync(path, temp.at("link.txt"));
    await assertUserError(() => readTextFile(temp.at("link.txt")), "no_permission");
    if (IS_ROOT) return;
    Deno.chmodSync(path, 0o000);
    await assertUserError(() => readTextFile(path), "no_permission");
  },
});

Deno.test("bytesToText() decides by content for a name without extension", async () => {
  const text = new TextEncoder().encode("read me\n");
  assert.equal((await bytesToText(text, { path: "README" })).text, "read me\n");
  assert.equal((await bytesToText(text, { path: "picture.png" })).text, "read me\n");
});
