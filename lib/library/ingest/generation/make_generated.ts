/**
 * Asks a language model about the chunks of an index that have no texts of its own yet, and puts the answers into the index. The index
 * is complete before: a search finds everything, and a failure leaves it as it is.
 */
import type { Generated } from "#engine/index/mod.ts";
import type { Enriched, EnrichInput, GeneratedTask, Generator } from "#library/generate/mod.ts";
import type { OpenIndex, Store } from "#library/store/mod.ts";
import { chunksOf, type IndexedChunk, readChunks, writeGenerated } from "./write_generated.ts";

/** The task whose answers are put into the index. */
export type EnrichTask = GeneratedTask<EnrichInput, Enriched>;

/** How many chunks of an index have what a model makes of them. */
export interface GeneratedShare {
  /** Chunks that are long enough to be asked about. */
  readonly total: number;
  /** Those of which an answer is kept. */
  readonly done: number;
  /** Those of which the answer was rejected, or refused; absent without any. They are not asked about again. */
  readonly rejected?: RejectedChunks;
}

/** Chunks of which nothing is kept. */
export interface RejectedChunks {
  readonly count: number;
  /** The first of them. */
  readonly chunks: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[];
}

/** Result of {@linkcode makeGenerated}. */
export interface GeneratedSummary extends GeneratedShare {
  /** Chunks that got an answer in this run. */
  readonly made: number;
  /** Whether the index was replaced meanwhile, so that another run is necessary. */
  readonly isStale: boolean;
}

/** Options of {@linkcode makeGenerated}. */
export interface MakeOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (share: GeneratedShare) => void;
  /** Awaited before each request. */
  readonly pause?: () => Promise<void>;
  /** Whether requests are only counted, by a generator that does so, and the index stays as it is. */
  readonly isEstimate?: boolean;
}

/** Chunks with fewer tokens say too little to be asked about. */
const LEAST_TOKENS = 12;
/** Time after which the index gets the answers so far, in milliseconds, and how many times as long as writing them takes. */
const WRITE_MS = 60_000, WRITE_SHARE = 30;

/** Returns what a model is told of a chunk; `undefined` for one that is too short. */
function enrichInput({ text, stored, file }: IndexedChunk): EnrichInput | undefined {
  if (stored.tokens < LEAST_TOKENS) return undefined;
  return { text, context: [...(file.title === undefined ? [] : [file.title]), ...stored.section] };
}

/** Counts the chunks that have an answer, without a connection. */
export async function generatedShare(
  index: OpenIndex,
  generator: Generator,
  task: EnrichTask,
): Promise<GeneratedShare> {
  const { total, missing, rejected } = await plannedFor(index, generator, task);
  return { total, done: total - missing.length - rejected.count, ...rejectedPart(rejected) };
}

/**
 * Makes what is missing, and writes it into the index now and then and at the end. Throws `index_busy` if another process does the same,
 * the errors of the store, and the reason of the signal; what was made until then is kept.
 */
export async function makeGenerated(
  store: Store,
  generator: Generator,
  task: EnrichTask,
  { signal, onProgress = () => {}, pause = () => Promise.resolve(), isEstimate = false }: MakeOptions = {},
): Promise<GeneratedSummary> {
  const nothing = { total: 0, done: 0, made: 0, isStale: false };
  if (await store.version() === undefined) return nothing;
  await using _lock = await store.lock("generation");
  const version = await store.version();
  const loaded = await store.open();
  if (loaded.state !== "ready") return nothing;
  using index = loaded.index;
  const { total, missing, answers, rejected } = await plannedFor(index, generator, task, signal);
  const rejectedBefore = rejected.count;
  /** Chunks that nothing is to be asked about, at the beginning. */
  const before = total - missing.length;
  let made = 0;
  onProgress({ total, done: before });
  const rest = missing.values();
  const work = async (until: number) => {
    while (performance.now() < until && generator.ended === undefined) {
      const { value: number, done } = rest.next();
      if (done) return;
      await pause();
      const [chunk] = await readChunks(index, Int32Array.of(number));
      const input = enrichInput(chunk!)!;
      const value = await generator.make(task, input, chunk!.language, signal);
      if (value !== undefined || await generator.isDone(task, input, chunk!.language)) {
        answers.set(await keyOf(input, chunk!, generator, task), value ?? null);
        if (value === undefined) rejected.add(chunk!);
        else made++;
      }
      onProgress({ total, done: before + made + rejected.count - rejectedBefore });
    }
  };
  const write = () => writeGenerated(store, (chunk) => changeFor(chunk, answers, generator, task), pause);
  let expected = version, isStale = false;
  for (let isDone = false, writeMs = WRITE_MS; !isDone;) {
    const until = performance.now() + writeMs;
    await allOf(Array.from({ length: generator.model.concurrency }, () => work(until)));
    isDone = performance.now() < until;
    const start = performance.now();
    isStale ||= await store.version() !== expected;
    if (answers.size > 0 && !isEstimate) await write();
    expected = await store.version();
    writeMs = Math.max(WRITE_MS, WRITE_SHARE * (performance.now() - start));
  }
  return { total, done: before - rejectedBefore + made, ...rejectedPart(rejected), made, isStale };
}

/** Rejected chunks that are named. */
const MOST_NAMED = 5;

/** Counts chunks of which nothing is kept. */
class Rejected implements RejectedChunks {
  readonly chunks: RejectedChunks["chunks"][number][] = [];
  count = 0;

  add({ file, stored: { startLine, endLine } }: IndexedChunk): void {
    this.count++;
    if (this.chunks.length < MOST_NAMED) this.chunks.push({ path: file.path, startLine, endLine });
  }
}

function rejectedPart({ count, chunks }: Rejected): Pick<GeneratedShare, "rejected"> {
  return count === 0 ? {} : { rejected: { count, chunks } };
}

/** Answers by the keys of their requests; `null` for one that was rejected. */
type Answers = Map<string, Enriched | null>;

/** Finds the chunks to ask about, by their numbers, and the answers that are kept and not in the index. */
async function plannedFor(index: OpenIndex, generator: Generator, task: EnrichTask, signal?: AbortSignal) {
  const missing: number[] = [], answers: Answers = new Map(), rejected = new Rejected();
  let total = 0;
  for await (const chunks of chunksOf(index)) {
    signal?.throwIfAborted();
    for (const chunk of chunks) {
      const input = enrichInput(chunk);
      if (input === undefined) continue;
      total++;
      const key = await keyOf(input, chunk, generator, task);
      if (chunk.generated?.keys?.enrich === key) {
        if (!hasTexts(chunk.generated)) rejected.add(chunk);
        continue;
      }
      if (!answers.has(key) && await generator.isDone(task, input, chunk.language)) {
        answers.set(key, await generator.known(task, input, chunk.language) ?? null);
      }
      const answer = answers.get(key);
      if (answer === undefined) missing.push(chunk.number);
      else if (answer === null) rejected.add(chunk);
    }
  }
  return { total, missing, answers, rejected };
}

function hasTexts({ title, summary, tags, questions }: Generated): boolean {
  return [title, summary, tags, questions].some((text) => text !== undefined);
}

/** Returns what a chunk gets by the answers. Without one, it keeps what it has. */
async function changeFor(
  chunk: IndexedChunk,
  answers: Answers,
  generator: Generator,
  task: EnrichTask,
): Promise<Generated | null | undefined> {
  const input = enrichInput(chunk);
  if (input === undefined) return undefined;
  const key = await keyOf(input, chunk, generator, task);
  const answer = answers.get(key);
  if (answer === undefined || chunk.generated?.keys?.enrich === key) return undefined;
  return withAnswer(chunk.generated, answer, { key, model: generator.model.id });
}

/** Puts an answer in the place of the one before; what other tasks made stays. */
function withAnswer(
  before: Generated | undefined,
  answer: Enriched | null,
  { key, model }: { readonly key: string; readonly model: string },
): Generated | null {
  const { captions, rejectedPictures, keys: { enrich: _, ...keys } = {} } = before ?? {};
  const rest = { ...(captions && { captions }), ...(rejectedPictures && { rejectedPictures }) };
  if (answer === null) {
    return captions === undefined ? null : { ...rest, model: before!.model, keys: { ...keys, enrich: key } };
  }
  const parts = Object.entries(answer).filter(([, part]) => part.length > 0);
  return { ...Object.fromEntries(parts), ...rest, model, keys: { ...keys, enrich: key } };
}

/** Digits of a key that are kept in an index. */
const KEY_DIGITS = 16;

async function keyOf(
  input: EnrichInput,
  { language }: IndexedChunk,
  generator: Generator,
  task: EnrichTask,
): Promise<string> {
  return (await generator.plan(task, input, language)).key.slice(0, KEY_DIGITS);
}

/** Waits for all, and throws the first failure then. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === "rejected") throw result.reason;
}
