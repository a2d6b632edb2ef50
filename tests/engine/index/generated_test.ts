import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  type Generated,
  type GeneratedOf,
  IndexWriter,
  MemoryFile,
  type NewChunk,
} from "#engine/index/mod.ts";
import { KEY } from "./_blob_forge.ts";
import { bytesOf, chunk, file, indexBytes, META, opened, recordOf, type TestFile } from "./_build.ts";

const FILES: readonly TestFile[] = [
  {
    path: "guide/手册.md",
    title: "手册",
    chunks: [
      chunk("# Start\n\nFirst words on 18 January 2024.", {
        endLine: 3,
        section: ["Start"],
        page: 1,
        context: "Start\n手册",
      }),
      chunk("更多 words 🎉", { start: 50, startLine: 5, endLine: 6, section: ["Start", "学习"], page: 12 }),
    ],
  },
  file("plain.txt", ["Alpha", "Beta"]),
];

const PUMPS: Generated = { title: "Pumps", tags: ["water", "水泵"], model: "test/m" };
const LIFTS: Generated = { questions: ["How does a lift stop?"], model: "test/m" };

/** Keeps all files of an index. `generated`: by path and number of the chunk in its file; `null` removes. */
async function rewritten(
  bytes: Uint8Array,
  generated: Readonly<Record<string, GeneratedOf>> = {},
): Promise<Uint8Array<ArrayBuffer>> {
  using previous = opened(bytes);
  const target = new MemoryFile();
  const writer = new IndexWriter(target, KEY, [previous]);
  for (const [number, { path }] of previous.files.entries()) {
    writer.keep(undefined, number, generated[path]);
  }
  await writer.finish(META);
  return bytesOf(target);
}

Deno.test("an index without generated texts has the bytes that earlier versions wrote", async () => {
  const bytes = await indexBytes(FILES);
  equal(
    createHash("sha256").update(bytes).digest("hex"),
    "a952eada5db8eba7a93ff515b11fa57c8c1be827d8d421ff3c1c712d3c4be38c",
  );
});

Deno.test("generated texts are added, replaced and removed without a trace", async () => {
  const plain = await indexBytes(FILES);
  const first = await rewritten(plain, { "guide/手册.md": (chunk) => chunk === 1 ? PUMPS : undefined });
  const second = await rewritten(first, { "plain.txt": () => LIFTS });
  const third = await rewritten(second, { "guide/手册.md": () => LIFTS });
  const contents = [plain, first, second, third].map((bytes) => {
    using reader = opened(bytes);
    return [0, 1, 2, 3].map((chunk) => reader.generated(chunk));
  });
  deepEqual(contents, [
    [undefined, undefined, undefined, undefined],
    [undefined, PUMPS, undefined, undefined],
    [undefined, PUMPS, LIFTS, LIFTS],
    [LIFTS, LIFTS, LIFTS, LIFTS],
  ]);
  const none = () => null;
  deepEqual(await rewritten(third, { "guide/手册.md": none, "plain.txt": none }), plain);
  deepEqual(await rewritten(plain), plain);
});

Deno.test("the same generated texts give the same bytes, whether they came at once or one by one", async () => {
  const plain = await indexBytes(FILES);
  const atOnce = await rewritten(plain, { "guide/手册.md": () => PUMPS, "plain.txt": () => LIFTS });
  const before = await rewritten(plain, { "guide/手册.md": () => LIFTS });
  const after = await rewritten(before, { "guide/手册.md": () => PUMPS, "plain.txt": () => LIFTS });
  const termsOf = (bytes: Uint8Array) => {
    using reader = opened(bytes);
    return [...reader.dictionary.terms()].sort();
  };
  deepEqual(termsOf(after), termsOf(atOnce));
  equal(after.length, atOnce.length);
});

Deno.test("chunks keep their lengths, hashes and languages when they get generated texts", async () => {
  const plain = await indexBytes(FILES);
  using before = opened(plain);
  using after = opened(await rewritten(plain, { "guide/手册.md": () => PUMPS, "plain.txt": () => PUMPS }));
  equal(after.totalTokens, before.totalTokens);
  for (const chunk of [0, 1, 2, 3]) {
    deepEqual(after.chunk(chunk), before.chunk(chunk));
    deepEqual(after.chunks.hash(chunk), before.chunks.hash(chunk));
  }
  deepEqual([...before.dictionary.terms()].filter((term) => after.dictionary.find(term) < 0), []);
});

Deno.test("generated texts that are longer than a block are read whole", async () => {
  const long: Generated = { summary: "水泵 ".repeat(5000), model: "test/m" };
  const chunks: NewChunk[] = [chunk("one"), chunk("two", { start: 10 })];
  const bytes = await rewritten(await indexBytes([{ path: recordOf("a").path, chunks }]), { a: () => long });
  using reader = opened(bytes);
  deepEqual([reader.generated(0), reader.generated(1)], [long, long]);
  reader.verify();
});
