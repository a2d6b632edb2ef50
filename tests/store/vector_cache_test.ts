import { deepEqual, equal, throws } from "node:assert/strict";
import { createHash } from "node:crypto";
import { type CacheEntry, VectorCache } from "../../lib/store/mod.ts";
import { assertUserError, ON_WINDOWS, TempDir } from "../sandbox/helpers.ts";
import { KEY } from "../index/_blob_forge.ts";

const MODEL = "openai-compatible/test-embed";
const hashOf = (text: string) => createHash("sha256").update(text).digest();
/** Returns a vector of three numbers that depends on the text. */
const entry = (text: string): CacheEntry => ({
  hash: hashOf(text),
  vector: Float32Array.of(text.length, text.charCodeAt(0), 0.5),
});

/** A folder with a data folder. */
function place(): TempDir & { cacheFile(): string } {
  const dir = new TempDir();
  Deno.mkdirSync(dir.at(".muxue_rag"));
  const cacheFile = () => {
    const [name] = [...Deno.readDirSync(dir.at(".muxue_rag"))].filter(({ name }) =>
      name.startsWith("vectors-")
    )
      .map(({ name }) => name);
    return dir.at(`.muxue_rag/${name}`);
  };
  return Object.assign(dir, { cacheFile });
}

/** Fills a new cache with texts and closes it. */
function fill(dir: TempDir, texts: readonly string[]): void {
  using cache = VectorCache.open(dir.path, MODEL, KEY);
  cache.append(texts.map(entry));
  cache.flush();
}

/** Opens the cache again and returns the vectors of some texts. */
function contents(dir: TempDir, texts: readonly string[], model = MODEL) {
  using cache = VectorCache.open(dir.path, model, KEY);
  return texts.map((text) => cache.get(hashOf(text)));
}

Deno.test("a cache that is opened again has exactly the vectors appended before", () => {
  using dir = place();
  fill(dir, ["one", "two"]);
  fill(dir, ["three"]);
  using cache = VectorCache.open(dir.path, MODEL, KEY);
  deepEqual([cache.size, cache.dimensions], [3, 3]);
  deepEqual(["one", "two", "three", "four"].map((text) => cache.has(hashOf(text))), [
    true,
    true,
    true,
    false,
  ]);
  deepEqual(["three", "one", "four"].map((text) => cache.get(hashOf(text))), [
    entry("three").vector,
    entry("one").vector,
    undefined,
  ]);
});

Deno.test("reading between two appends does not disturb them", () => {
  using dir = place();
  using cache = VectorCache.open(dir.path, MODEL, KEY);
  equal(cache.dimensions, undefined);
  cache.append([entry("a")]);
  deepEqual(cache.get(hashOf("a")), entry("a").vector);
  cache.append([entry("b"), entry("c")]);
  deepEqual(contents(dir, ["a", "b", "c"]), ["a", "b", "c"].map((text) => entry(text).vector));
});

Deno.test("the cache has no file before the first vector and after remove()", async () => {
  using dir = place();
  const cache = VectorCache.open(dir.path, MODEL, KEY);
  cache.flush();
  cache.remove();
  deepEqual([...Deno.readDirSync(dir.at(".muxue_rag"))], []);
  const second = VectorCache.open(dir.path, MODEL, KEY);
  second.append([entry("a")]);
  await second.remove();
  deepEqual([...Deno.readDirSync(dir.at(".muxue_rag"))], []);
});

Deno.test("each provider has a separate cache", () => {
  using dir = place();
  fill(dir, ["a"]);
  deepEqual(contents(dir, ["a"], `${MODEL}?dimensions=3`), [undefined]);
  deepEqual(contents(dir, ["a"]), [entry("a").vector]);
});

Deno.test("vectors of another length are refused", () => {
  using dir = place();
  using cache = VectorCache.open(dir.path, MODEL, KEY);
  cache.append([entry("a")]);
  throws(() => cache.append([{ hash: hashOf("b"), vector: new Float32Array(4) }]), RangeError);
  deepEqual(contents(dir, ["a", "b"]), [entry("a").vector, undefined]);
});

Deno.test("an incomplete record at the end of the file is cut off", () => {
  using dir = place();
  fill(dir, ["a", "b"]);
  const bytes = Deno.readFileSync(dir.cacheFile());
  const record = (bytes.length - 64) / 2;
  for (const length of [64 + record, 64 + record + 1, bytes.length - 1]) {
    Deno.writeFileSync(dir.cacheFile(), bytes.subarray(0, length));
    deepEqual(contents(dir, ["a", "b"]), [entry("a").vector, undefined]);
    equal(Deno.statSync(dir.cacheFile()).size, 64 + record);
  }
  fill(dir, ["c"]);
  deepEqual(contents(dir, ["a", "c"]), ["a", "c"].map((text) => entry(text).vector));
});

Deno.test("a record with a wrong byte is left out, and its neighbours stay", () => {
  using dir = place();
  fill(dir, ["a", "b", "c"]);
  const bytes = Deno.readFileSync(dir.cacheFile());
  const record = (bytes.length - 64) / 3;
  bytes[64 + record + 20]! ^= 1;
  Deno.writeFileSync(dir.cacheFile(), bytes);
  deepEqual(contents(dir, ["a", "b", "c"]), [entry("a").vector, undefined, entry("c").vector]);
  fill(dir, ["b"]);
  deepEqual(contents(dir, ["b"]), [entry("b").vector]);
});

Deno.test("a file that is not a cache of the provider is deleted", () => {
  using dir = place();
  fill(dir, ["a"]);
  const good = Deno.readFileSync(dir.cacheFile());
  const changed = (at: number, value: number) => good.map((byte, i) => i === at ? value : byte);
  const files = [
    new Uint8Array(0),
    good.subarray(0, 63),
    new TextEncoder().encode("no cache at all\n".repeat(100)),
    // magic, version, dimensions, provider, checksum, what should be zeros
    ...[0, 8, 12, 16, 48, 60].map((at) => changed(at, 99)),
    changed(15, 255),
  ];
  for (const file of files) {
    Deno.writeFileSync(dir.cacheFile(), file);
    deepEqual(contents(dir, ["a"]), [undefined]);
    fill(dir, ["a"]);
    deepEqual(Deno.readFileSync(dir.cacheFile()), good);
  }
});

Deno.test({
  name: "a link in the cache's place is neither followed nor written through",
  ignore: ON_WINDOWS,
  async fn() {
    using dir = place();
    fill(dir, ["a"]);
    const path = dir.cacheFile();
    const elsewhere = dir.write("precious", Deno.readFileSync(path));
    const before = Deno.readFileSync(elsewhere);
    for (const link of [Deno.symlinkSync, Deno.linkSync]) {
      Deno.removeSync(path);
      link(elsewhere, path);
      deepEqual(contents(dir, ["a"]), [undefined]);
      fill(dir, ["b"]);
      equal(Deno.lstatSync(path).isFile, true);
      deepEqual(Deno.readFileSync(elsewhere), before);
    }
    Deno.removeSync(path);
    Deno.mkdirSync(path);
    Deno.writeTextFileSync(`${path}/file`, "");
    await assertUserError(
      () => Promise.try(() => VectorCache.open(dir.path, MODEL, KEY)),
      "data_folder_unsafe",
    );
  },
});

Deno.test("many vectors are found by their hashes", () => {
  using dir = place();
  const texts = Array.from({ length: 5000 }, (_, at) => `text ${at}`);
  for (let at = 0; at < texts.length; at += 64) fill(dir, texts.slice(at, at + 64));
  deepEqual(contents(dir, texts), texts.map((text) => entry(text).vector));
  deepEqual(contents(dir, ["text 5000", "text -1"]), [undefined, undefined]);
});
