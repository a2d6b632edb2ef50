import assert from "node:assert/strict";
import { Zip, ZIP_LIMITS } from "#documents/zip.ts";
import { zipOf } from "../zip_of.ts";

const text = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : new TextDecoder().decode(bytes);

/** Returns the archive with 16 bits changed in its first central directory entry. */
function changed(zip: Uint8Array<ArrayBuffer>, offset: number, value: number): Uint8Array<ArrayBuffer> {
  const copy = zip.slice();
  const view = new DataView(copy.buffer);
  for (let at = 0; at + 4 < copy.length; at++) {
    if (view.getUint32(at, true) === 0x02014b50) {
      view.setUint16(at + offset, value, true);
      break;
    }
  }
  return copy;
}

Deno.test("Zip reads stored and deflated entries by name", () => {
  const zip = new Zip(zipOf({ "a.txt": "short", "中文/b.txt": "long ".repeat(1000), "empty": "" }));
  assert.deepEqual([...zip.names], ["a.txt", "中文/b.txt", "empty"]);
  assert.equal(text(zip.read("a.txt")), "short");
  assert.equal(text(zip.read("中文/b.txt")), "long ".repeat(1000));
  assert.equal(text(zip.read("empty")), "");
  assert.equal(text(zip.read("A.TXT")), "short");
  assert.equal(zip.read("missing"), undefined);
  assert.equal(zip.has("missing"), false);
});

Deno.test("Zip reports other bytes and a cut-off archive as damaged", () => {
  const whole = zipOf({ "a.txt": "text ".repeat(1000) });
  for (const bytes of [new Uint8Array(), new Uint8Array(100), whole.slice(0, -10), whole.slice(30)]) {
    assert.throws(() => new Zip(bytes).read("a.txt"), { name: "DocumentError", problem: "damaged" });
  }
});

Deno.test("Zip reports an entry with broken compressed bytes as damaged", () => {
  const broken = zipOf({ "a.txt": Array.from({ length: 5000 }, (_, i) => i * i).join(" ") });
  broken.fill(0xff, 60, 2000);
  assert.throws(() => new Zip(broken).read("a.txt"), { problem: "damaged" });
});

Deno.test("Zip reports encrypted entries and unknown methods", () => {
  const zip = zipOf({ "a.txt": "text" });
  assert.throws(() => new Zip(changed(zip, 8, 1)).read("a.txt"), { problem: "encrypted" });
  assert.throws(() => new Zip(changed(zip, 10, 9)).read("a.txt"), { problem: "unsupported" });
});

Deno.test("Zip throws beyond its limits of entries, size and ratio, whatever sizes the archive claims", () => {
  const zeros = new Uint8Array(40_000_000);
  const bomb = changed(zipOf({ "bomb": zeros }), 24, 10);
  assert.throws(() => new Zip(bomb).read("bomb"), { problem: "too_complex" });
  assert.equal(new Zip(zipOf({ "small": zeros.subarray(0, 10_000_000) })).read("small")?.length, 10_000_000);
  const two = zipOf({ a: "12345", b: "67890" });
  assert.throws(() => new Zip(two, { ...ZIP_LIMITS, entries: 1 }), { problem: "too_complex" });
  const zip = new Zip(two, { ...ZIP_LIMITS, size: 9 });
  zip.read("a");
  assert.throws(() => zip.read("b"), { problem: "too_complex" });
});
