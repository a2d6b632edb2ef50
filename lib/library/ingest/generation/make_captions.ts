/**
 * Asks a model what the pictures in the documents of an index show, and puts the answers into the index, at the chunks in which the
 * pictures stand. The index is complete before; a failure leaves it as it is.
 * Below it: the pictures of a file, what a model is told of each, and what a chunk gets.
 */
import { type ListedPicture, picturesToCaption } from "#documents/mod.ts";
import type { Generated, PictureCaption, StoredFile } from "#engine/index/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { Language } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { FolderFiles } from "#library/archives/mod.ts";
import type { Extractor } from "#library/extract/mod.ts";
import {
  CAPTION,
  type Captioned,
  type CaptionInput,
  type Generator,
  pictureKind,
  unconfirmedNumbers,
} from "#library/generate/mod.ts";
import type { OpenIndex, Store } from "#library/store/mod.ts";
import { chunksOf, type IndexedChunk, writeGenerated } from "./write_generated.ts";

/** The parts of the program that captions need. */
export interface CaptionContext {
  readonly store: Store;
  /** Of the model that sees pictures. */
  readonly generator: Generator;
  readonly files: Pick<FolderFiles, "read">;
  readonly extractor: Pick<Extractor, "pictures">;
  /** Encoding of all texts; `undefined` detects it. */
  readonly encoding?: string | undefined;
  /** The language of captions where the document has no text. */
  readonly language: Language;
}

/** How many files of an index have captions of their pictures. */
export interface CaptionShare {
  /** Files with pictures, and those of them of which nothing is to be asked. */
  readonly total: number;
  readonly done: number;
  /** Pictures whose description was rejected; absent without any. They are not asked about again. */
  readonly rejected?: RejectedPictures;
}

/** Pictures of which no description is kept. */
export interface RejectedPictures {
  readonly count: number;
  /** The first of them, by number in their document. */
  readonly pictures: readonly { readonly path: string; readonly image: number }[];
}

/** Result of {@linkcode makeCaptions}. */
export interface CaptionSummary extends CaptionShare {
  /** Pictures that were described in this run. */
  readonly made: number;
  /** Pictures that are not described because their document has too many. */
  readonly left: number;
}

/** Options of {@linkcode makeCaptions}. */
export interface CaptionOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((share: CaptionShare) => void) | undefined;
  /** Awaited before each document. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Whether requests are only counted, by a generator that does so, and the index stays as it is. */
  readonly isEstimate?: boolean;
}

/** Pixels of the longer side of a picture that is sent, and its bytes. */
const SIDE = 1_024, MOST_BYTES = 1_500_000;
/** Pictures of a document that are read at once, and documents that are. */
const BATCH = 4, AT_ONCE = 4;
/** Time after which the index gets the answers so far, in milliseconds. */
const WRITE_MS = 60_000;

/**
 * Describes the pictures that have no caption yet, and writes the captions into the index now and then and at the end. Throws
 * `index_busy` if another process does the same, the errors of the store, `extractor_unavailable`, and the reason of the signal; what was
 * made until then is kept and not asked for again.
 */
export async function makeCaptions(
  context: CaptionContext,
  { signal, onProgress = () => {}, pause = () => Promise.resolve(), isEstimate = false }: CaptionOptions = {},
): Promise<CaptionSummary> {
  const { store, generator } = context;
  const nothing = { total: 0, done: 0, made: 0, left: 0 };
  if (await store.version() === undefined) return nothing;
  await using _lock = await store.lock("generation");
  const loaded = await store.open();
  if (loaded.state !== "ready") return nothing;
  using index = loaded.index;
  const { total, missing, rejected } = await missingFiles(index, context);
  let left = 0, done = total - missing.length;
  /** By content: two documents with the same picture wait for one answer. */
  const made = new Set<string>();
  const found = new Map<string, FoundCaptions>();
  onProgress({ total, done });
  const rest = missing.values();
  const work = async (until: number) => {
    while (performance.now() < until && generator.ended === undefined) {
      const { value: file, done: isOver } = rest.next();
      if (isOver) return;
      await pause();
      signal?.throwIfAborted();
      const pictures = await picturesOf(file, index, context, signal);
      if (pictures === undefined) continue;
      const captions = await captionsOf(pictures, context, signal);
      for (const sha256 of captions.made) made.add(sha256);
      left += pictures.left;
      if (captions.isComplete) done++;
      for (const [chunk, one] of captions.ofChunks) found.set(chunk, one);
      rejected.set(file.path, [...captions.ofChunks.values()].flatMap(({ rejected }) => rejected));
      onProgress({ total, done });
    }
  };
  const states = await statesOf(generator);
  const write = () =>
    writeGenerated(store, (chunk) => changeFor(chunk, found, states, generator.model.id), pause);
  for (let isOver = false; !isOver;) {
    const until = performance.now() + WRITE_MS;
    const workers = Math.min(AT_ONCE, generator.model.concurrency);
    const results = await Promise.allSettled(Array.from({ length: workers }, () => work(until)));
    const failed = results.find((result) => result.status === "rejected");
    if (found.size > 0 && !isEstimate) await write();
    if (failed !== undefined) throw failed.reason;
    isOver = performance.now() < until;
  }
  return { total, done, ...rejectedPart(rejected), made: made.size, left };
}

/** Counts the files whose pictures are described, without a connection. */
export async function captionShare(index: OpenIndex, generator: Generator): Promise<CaptionShare> {
  const { total, missing, rejected } = await missingFiles(index, { generator });
  return { total, done: total - missing.length, ...rejectedPart(rejected) };
}

/** Rejected pictures that are named. */
const MOST_NAMED = 5;

function rejectedPart(found: RejectedNumbers): Pick<CaptionShare, "rejected"> {
  const all = Array.from(found, ([path, images]) => images.map((image) => ({ path, image }))).flat();
  return all.length === 0 ? {} : { rejected: { count: all.length, pictures: all.slice(0, MOST_NAMED) } };
}

/** Digits of a key that are kept in an index. */
const KEY_DIGITS = 16;

/** Returns by the language what decides a caption beside the picture: model, prompt and version. */
async function statesOf(generator: Generator): Promise<Readonly<Record<Language, string>>> {
  const none: CaptionInput = { sha256: "", near: "", recognised: "", kind: "" };
  const of = async (language: Language) =>
    (await generator.plan(CAPTION, none, language)).key.slice(0, KEY_DIGITS);
  return { zh: await of("zh"), en: await of("en") };
}

/** A file of an index with its chunks. */
interface IndexedFile {
  readonly file: StoredFile;
  /** Those in which pictures stand, with the numbers of these. */
  readonly chunks: ReadonlyMap<IndexedChunk, readonly number[]>;
}

/** By path of a file: the numbers of its pictures whose description was rejected. */
type RejectedNumbers = Map<string, readonly number[]>;

/** The files with pictures. */
interface PictureFiles {
  readonly total: number;
  /** Those of which not all pictures are described. */
  readonly missing: readonly StoredFile[];
  readonly rejected: RejectedNumbers;
}

async function missingFiles(
  index: OpenIndex,
  { generator }: Pick<CaptionContext, "generator">,
): Promise<PictureFiles> {
  const states = await statesOf(generator);
  const withPictures = index.files.filter(({ images, chunkCount }) => images !== undefined && chunkCount > 0);
  const missing: StoredFile[] = [];
  const rejected: RejectedNumbers = new Map();
  for (const file of withPictures) {
    const { chunks } = await readFile(index, file);
    const own = [...chunks.keys()];
    const isCurrent = ({ generated, language }: IndexedChunk) =>
      generated?.keys?.["caption"] === states[language];
    if (!own.every(isCurrent)) missing.push(file);
    rejected.set(
      file.path,
      own.filter(isCurrent).flatMap(({ generated }) => generated?.rejectedPictures ?? []),
    );
  }
  return { total: withPictures.length, missing, rejected };
}

async function readFile(index: OpenIndex, file: StoredFile): Promise<IndexedFile> {
  const { firstChunk, chunkCount, images = [] } = file;
  const all: IndexedChunk[] = [];
  const numbers = Array.from({ length: chunkCount }, (_, i) => firstChunk + i);
  for await (const batch of chunksOf(index, numbers)) all.push(...batch);
  const places = images.map((at, i) => ({ at, number: i + 1 })).sort((a, b) => a.at - b.at);
  const chunks = new Map<IndexedChunk, number[]>();
  let next = 0;
  for (const chunk of all) {
    // Chunks overlap: a picture belongs to the first that holds it.
    const own: number[] = [];
    for (; next < places.length && places[next]!.at < chunk.stored.end; next++) {
      own.push(places[next]!.number);
    }
    if (own.length > 0) chunks.set(chunk, own);
  }
  return { file, chunks };
}

/** A picture to be described. */
interface WantedPicture {
  readonly number: number;
  readonly language: Language;
  readonly input: CaptionInput;
  /** Texts of the document that may confirm the numbers of its caption. */
  readonly sources: readonly string[];
}

/** The pictures of a document that are to be described. */
interface FilePictures extends IndexedFile {
  readonly bytes: Uint8Array;
  readonly wanted: readonly WantedPicture[];
  /** All its pictures, by number. */
  readonly listed: ReadonlyMap<number, ListedPicture>;
  readonly left: number;
}

/** Lists the pictures of a file; `undefined` for one that has changed or cannot be read. Throws `extractor_unavailable`. */
async function picturesOf(
  file: StoredFile,
  index: OpenIndex,
  { files, extractor, encoding, language }: CaptionContext,
  signal?: AbortSignal,
): Promise<FilePictures | undefined> {
  try {
    const { bytes, sha256 } = await files.read(file.path);
    if (sha256.toHex() !== file.sha256) return undefined;
    const name = present({ path: file.path, encoding });
    const { answer: { pictures } } = await extractor.pictures(bytes, name, { want: "list" }, signal);
    const isPicture = file.format === "image";
    const { pictures: chosen, left } = picturesToCaption(pictures, { isPicture });
    const { chunks } = await readFile(index, file);
    const chunkOf = new Map(
      [...chunks].flatMap(([chunk, numbers]) => numbers.map((number) => [number, chunk] as const)),
    );
    const listed = new Map(pictures.map((picture) => [picture.number, picture]));
    const wanted = chosen.flatMap(({ number, sha256 }) => {
      const chunk = chunkOf.get(number);
      if (chunk === undefined) return [];
      const { near, recognised, called } = textsOf(number, chunk, listed.get(number)!);
      const hasText = isPicture ? recognised !== "" : /\p{L}{3}/u.test(near);
      const input = { sha256, near, recognised, kind: pictureKind(called, false) };
      return [{
        number,
        language: hasText ? chunk.language : language,
        input,
        sources: [...chunk.stored.section, near, recognised, called],
      }];
    });
    return { file, chunks, bytes, wanted, listed, left };
  } catch (error) {
    if (!(error instanceof UserError) || error.key === "extractor_unavailable") throw error;
    // The next indexing run says why it cannot be read.
    return undefined;
  }
}

/** UTF-16 units on each side of a picture that a model gets to read. */
const NEAR = 600;

/** Returns the texts near a picture, the text that was recognised in it, and what the document calls it. */
function textsOf(
  number: number,
  { file, stored: { start, end, section }, text: whole }: IndexedChunk,
  { alt = "", caption = "" }: ListedPicture,
) {
  // The head of a table may be repeated in front.
  const text = whole.slice(Math.max(0, whole.length - (end - start)));
  const { images = [], recognisedImages = [], format, recognised: pages } = file;
  const called = [...new Set([caption, alt])].filter((part) => part !== "").join("\n");
  if (format === "image") return { near: "", recognised: pages === undefined ? "" : text, called };
  const [, from = 0, to = 0] = recognisedImages.find(([image]) => image === number) ?? [];
  const at = images[number - 1]! - start;
  const around = text.slice(Math.max(0, at - NEAR), at + NEAR).toWellFormed().trim();
  const heading = section.join(" > ");
  return {
    near: [heading, called, around].filter((part) => part !== "").join("\n"),
    recognised: text.slice(Math.max(0, from - start), Math.max(0, to - start)).trim(),
    called,
  };
}

/** The known captions of a chunk's pictures. */
interface FoundCaptions {
  readonly captions: readonly PictureCaption[];
  /** Numbers of those whose description was rejected. */
  readonly rejected: readonly number[];
  /** Whether each of them that is worth it is described, or was rejected. */
  readonly isComplete: boolean;
}

/** Describes the pictures of a document. `ofChunks`: by {@linkcode placeOf}. */
async function captionsOf(
  pictures: FilePictures,
  context: CaptionContext,
  signal?: AbortSignal,
) {
  const { generator } = context;
  const { chunks, wanted, listed } = pictures;
  const texts = new Map<string, PictureCaption>();
  const open = new Set<string>(), rejected = new Set<string>();
  const made: string[] = [];
  const take = ({ number, input: { sha256 }, sources }: WantedPicture, { caption }: Captioned) => {
    const unconfirmed = unconfirmedNumbers(caption, sources);
    const marked = unconfirmed.length > 0 ? { unconfirmed } : {};
    texts.set(sha256, { image: number, text: caption, ...marked });
  };
  const unknown: WantedPicture[] = [];
  for (const picture of wanted) {
    const { input, language } = picture;
    if (!await generator.isDone(CAPTION, input, language)) {
      unknown.push(picture);
      continue;
    }
    const known = await generator.known(CAPTION, input, language);
    if (known !== undefined) take(picture, known);
    else if (await generator.isRejected(CAPTION, input, language)) rejected.add(input.sha256);
  }
  const ask = async (picture: WantedPicture, image: Uint8Array, { given, look }: ListedPicture) => {
    const { input, language } = picture;
    const { mediaType, width, height } = given!;
    const whole = {
      ...input,
      kind: input.kind || pictureKind("", look === "photo"),
      image: { bytes: Uint8Array.from(image), mime: mediaType, width, height },
    };
    const value = await generator.make(CAPTION, whole, language, signal);
    if (value !== undefined) {
      take(picture, value);
      made.push(input.sha256);
    } else if (await generator.isRejected(CAPTION, input, language)) rejected.add(input.sha256);
    else return;
    open.delete(input.sha256);
  };
  const leaveOut = async ({ input, language }: WantedPicture) => {
    await generator.leaveOut(CAPTION, input, language);
    open.delete(input.sha256);
  };
  for (const { input: { sha256 } } of unknown) open.add(sha256);
  for (let i = 0; i < unknown.length && generator.ended === undefined; i += BATCH) {
    signal?.throwIfAborted();
    const batch = unknown.slice(i, i + BATCH);
    const shown = await shownOf(batch, pictures, context, signal);
    // One that is blank, damaged or too complex stays so.
    await Promise.all(
      shown.map(({ picture, facts, content }) =>
        content === undefined ? leaveOut(picture) : ask(picture, content, facts!)
      ),
    );
  }
  const ofChunks = new Map(Array.from(chunks, ([chunk, numbers]): [string, FoundCaptions] => {
    const shas = numbers.map((number) => [number, listed.get(number)?.sha256 ?? ""] as const);
    const captions = shas.flatMap(([image, sha256]) => {
      const caption = texts.get(sha256);
      return caption === undefined ? [] : [{ ...caption, image }];
    });
    return [placeOf(chunk), {
      captions,
      rejected: shas.flatMap(([image, sha256]) => rejected.has(sha256) ? [image] : []),
      isComplete: shas.every(([, sha256]) => !open.has(sha256)),
    }];
  }));
  return { made, ofChunks, isComplete: open.size === 0 };
}

/** A picture as it is sent, or the reason why it is not. */
interface ShownPicture {
  readonly picture: WantedPicture;
  readonly facts?: ListedPicture;
  readonly content?: Uint8Array;
}

/** Reads pictures, scaled down and made anew. If that fails, each is tried alone: only one may be at fault. */
async function shownOf(
  wanted: readonly WantedPicture[],
  pictures: FilePictures,
  context: CaptionContext,
  signal?: AbortSignal,
): Promise<ShownPicture[]> {
  const { file, bytes } = pictures;
  const { extractor, encoding } = context;
  const numbers = wanted.map(({ number }) => number);
  const request = { want: "pictures", numbers, side: SIDE, bytes: MOST_BYTES, isPlain: true } as const;
  const name = present({ path: file.path, encoding });
  try {
    const { answer, contents } = await extractor.pictures(bytes, name, request, signal);
    const rest = contents.values();
    return answer.pictures.map((facts) => {
      const picture = wanted.find(({ number }) => number === facts.number)!;
      return facts.given === undefined ? { picture } : { picture, facts, content: rest.next().value! };
    });
  } catch (error) {
    if (!(error instanceof UserError) || error.key === "extractor_unavailable") throw error;
    if (wanted.length === 1) return [{ picture: wanted[0]! }];
    const alone: ShownPicture[] = [];
    for (const one of wanted) alone.push(...await shownOf([one], pictures, context, signal));
    return alone;
  }
}

/** Names a chunk by the content of its file, so that it is found again in a newer index. */
function placeOf({ file: { sha256 }, stored: { start } }: IndexedChunk): string {
  return `${sha256} ${start}`;
}

/** Returns what a chunk gets: its captions beside what other tasks made. Without all of them, it is tried again in the next run. */
function changeFor(
  chunk: IndexedChunk,
  found: ReadonlyMap<string, FoundCaptions>,
  states: Readonly<Record<Language, string>>,
  model: string,
): Promise<Generated | undefined> {
  const one = found.get(placeOf(chunk));
  const { generated: before } = chunk;
  if (one === undefined || !one.isComplete && one.captions.length === 0) return Promise.resolve(undefined);
  const { caption: _, ...keys } = before?.keys ?? {};
  const state = one.isComplete ? { caption: states[chunk.language] } : {};
  const after: Generated = present({
    ...before,
    captions: one.captions,
    rejectedPictures: one.rejected.length > 0 ? one.rejected : undefined,
    model: before?.model ?? model,
    keys: { ...keys, ...state },
  });
  return Promise.resolve(JSON.stringify(after) === JSON.stringify(before) ? undefined : after);
}
