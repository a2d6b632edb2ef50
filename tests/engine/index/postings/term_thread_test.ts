import { deepEqual, ok, rejects } from "node:assert/strict";
import { IndexTooLargeError, IndexWriter, MemoryFile, type NewChunk, TermThread } from "#engine/index/mod.ts";
import type { TermAnswer } from "#engine/index/postings/term_thread.ts";
import { KEY } from "../_blob_forge.ts";
import { bytesOf, chunk, META, random, recordOf } from "../_build.ts";

const WORKER = new URL("../../../../lib/engine/index/postings/term_worker.ts", import.meta.url);
const WORDS = "pumps Running getUserName 1,234 2024-01-18 長江 中文，検索 café e\u0301 😀 ㎏".split(" ");

/** Several buffers of texts of any kind, and one that is larger than a buffer. */
function chunks(): NewChunk[] {
  const next = random(3);
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.floor(next() * WORDS.length)]);
  const texts = Array.from({ length: 4000 }, (_, i) => words(i === 1000 ? 100_000 : 40).join(" "));
  return texts.map((text, i) => chunk(text, { context: `file ${i % 3}` }));
}

const noPause = () => Promise.resolve();

async function indexBy(thread: TermThread | undefined): Promise<Uint8Array> {
  const file = new MemoryFile(), writer = new IndexWriter(file, KEY, [], undefined, thread);
  writer.beginFile();
  for (const one of chunks()) {
    writer.addChunk(one);
    await writer.caughtUp(noPause);
  }
  writer.endFile(recordOf("a.md"));
  await writer.finish(META);
  return bytesOf(file);
}

/** A module of a thread that answers every message alike. */
function answering(answer: unknown): URL {
  return new URL(`data:text/javascript,self.onmessage = () => self.postMessage(${JSON.stringify(answer)})`);
}

Deno.test("an index whose terms a thread finds has the bytes of any other", async () => {
  using thread = new TermThread(WORKER);
  deepEqual(await indexBy(thread), await indexBy(undefined));
});

Deno.test("an index without chunks has the same bytes with a thread", async () => {
  using thread = new TermThread(WORKER);
  const [one, other] = [new MemoryFile(), new MemoryFile()];
  await new IndexWriter(one, KEY, [], undefined, thread).finish(META);
  await new IndexWriter(other, KEY).finish(META);
  deepEqual(bytesOf(one), bytesOf(other));
});

Deno.test("finish() throws the failure of the thread", async () => {
  using broken = new TermThread(new URL(`data:text/javascript,throw new Error("no thread")`));
  await rejects(indexBy(broken), /no thread/);
  using full = new TermThread(answering({ failure: "2 GiB", isTooLarge: true }));
  await rejects(indexBy(full), IndexTooLargeError);
  using other = new TermThread(answering({ failure: "damaged", isTooLarge: false }));
  await rejects(indexBy(other), /damaged/);
});

Deno.test("caughtUp() waits while many texts wait for the thread, and throws its failure", async () => {
  using full = new TermThread(answering({ failure: "2 GiB", isTooLarge: true }));
  const fill = () => {
    const { length } = full.room(1);
    full.add(length, 0);
  };
  fill();
  await full.caughtUp(noPause);
  for (let i = 0; i < 40; i++) fill();
  await rejects(full.caughtUp(noPause), IndexTooLargeError);
});

Deno.test("caughtUp() can be stopped while the thread does not answer", async () => {
  using stuck = new TermThread(new URL("data:text/javascript,self.onmessage = () => {}"));
  for (let i = 0; i < 40; i++) {
    const { length } = stuck.room(1);
    stuck.add(length, 0);
  }
  const cancelled = new DOMException("cancelled", "AbortError");
  await rejects(stuck.caughtUp(() => Promise.reject(cancelled)), cancelled);
});

Deno.test("the thread waits while the posting lists that it sent are not written", async () => {
  const worker = new Worker(WORKER, { type: "module" });
  let unwritten = 0, most = 0, pieces = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = ({ data }: MessageEvent<TermAnswer>) => {
    if ("failure" in data) reject(new Error(data.failure));
    else if ("done" in data) resolve();
    else if ("lists" in data) {
      pieces++;
      most = Math.max(most, ++unwritten);
      // Pieces that the thread sends without waiting arrive first.
      setTimeout(() => {
        unwritten--;
        worker.postMessage("written");
      }, 100);
    }
  };
  const next = random(5);
  const words = () => Array.from({ length: 400 }, () => `w${Math.floor(next() * 60_000)}`).join(" ");
  for (let i = 0; i < 3000; i++) {
    const bytes = new TextEncoder().encode(words());
    worker.postMessage({ bytes, ends: [bytes.length, bytes.length] });
  }
  worker.postMessage("finish");
  await promise;
  worker.terminate();
  // The last piece is sent without waiting.
  ok(most <= 5 && pieces > 8, `${most} of ${pieces} pieces`);
});

Deno.test("finish() ends when a pause throws", async () => {
  using silent = new TermThread(new URL("data:text/javascript,self.onmessage = () => {}"));
  const writer = new IndexWriter(new MemoryFile(), KEY, [], undefined, silent);
  writer.beginFile();
  writer.addChunk(chunk("water"));
  writer.endFile(recordOf("a.md"));
  await rejects(writer.finish(META, () => Promise.reject(new Error("stopped"))), /stopped/);
});
