/** The chunks that a question about an answer means: those of a file or of its lines, or those that hold a sentence. */
import type { Tokenizer } from "#engine/index/mod.ts";
import { chunkId, type Filter, type FoundChunk, Segments } from "#engine/segments.ts";
import { present } from "#foundation/present.ts";
import type { SearchedFolder } from "../served_folders.ts";
import type { PlaceOfChunk } from "./types.ts";

/** UTF-16 units of a sentence that are compared. */
const MOST_SENTENCE = 4000;
/** Bytes of a chunk's text that are compared. */
const MOST_BYTES = 1 << 16;
/** Chunks that are compared with a sentence that no file is named for: those with the most of its words. */
const MOST_COMPARED = 100;
/** Letters of the pieces by which the nearest passage is found. */
const PIECE = 6;
/** Share of its pieces that two neighbouring chunks must have of a sentence that the border between them cuts. */
const CUT = 0.9;
/** UTF-16 units of the nearest passage that are shown. */
const SHOWN = 300;

/** Chunks of one index. */
export interface Target {
  readonly place: SearchedFolder;
  /** Ascending numbers in the index. */
  readonly chunks: readonly number[];
}

/** The chunks of a file, or of some of its lines. */
export async function chunksOfFile(
  { index }: SearchedFolder,
  { firstChunk, chunkCount }: { readonly firstChunk: number; readonly chunkCount: number },
  lines: { readonly startLine?: number; readonly endLine?: number } = {},
): Promise<number[]> {
  const all = Array.from({ length: chunkCount }, (_, i) => firstChunk + i);
  const { startLine, endLine } = lines;
  if (startLine === undefined || endLine === undefined) return all;
  const stored = await index.chunks(Int32Array.from(all));
  return all.filter((_, i) => stored[i]!.startLine <= endLine && stored[i]!.endLine >= startLine);
}

/** The place of a sentence, or the passage nearest to it. */
export type SentencePlace =
  | { readonly targets: readonly Target[] }
  | {
    readonly nearest?: { readonly place: SearchedFolder; readonly chunk: number; readonly text: string };
    readonly share: number;
  };

/** Looks for a sentence in given chunks of an index. Case, width, punctuation and line breaks do not count. Takes linear time. */
export async function sentenceInChunks(sentence: string, target: Target): Promise<SentencePlace> {
  const { place, chunks } = target;
  const texts = (await place.index.texts(Int32Array.from(chunks), MOST_BYTES)).map(lettersOf);
  const wanted = lettersOf(sentence.slice(0, MOST_SENTENCE));
  const whole = chunks.filter((_, i) => texts[i]!.includes(wanted));
  if (whole.length > 0) return { targets: [{ place, chunks: whole }] };
  const pieces = piecesOf(wanted);
  const held = texts.map((text) => piecesIn(text, pieces));
  for (let i = 1; i < chunks.length; i++) {
    if (chunks[i] !== chunks[i - 1]! + 1) continue;
    if (held[i - 1]!.union(held[i]!).size >= CUT * pieces.size) {
      return { targets: [{ place, chunks: [chunks[i - 1]!, chunks[i]!] }] };
    }
  }
  const best = held.reduce((best, { size }, i) => size > held[best]!.size ? i : best, 0);
  const size = held[best]?.size ?? 0;
  if (size === 0) return { share: 0 };
  const [text] = await place.index.texts(Int32Array.of(chunks[best]!), MOST_BYTES);
  return {
    nearest: { place, chunk: chunks[best]!, text: partNear(text!, wanted) },
    share: size / pieces.size,
  };
}

/** Looks for a sentence in all folders, among the chunks with the most of its words that pass a filter. */
export async function sentenceAnywhere(
  sentence: string,
  places: readonly SearchedFolder[],
  tokenizer: Tokenizer,
  filter?: Filter,
): Promise<SentencePlace> {
  const segments = new Segments(places.map(({ index }) => index));
  const terms = tokenizer.queryTerms(sentence.slice(0, MOST_SENTENCE));
  const found = await segments.byTerms(await segments.lookUp(terms), { limit: MOST_COMPARED, filter });
  const targets: Target[] = [];
  let nearest: SentencePlace = { share: 0 };
  for (const [index, ofIndex] of Map.groupBy(found, ({ index }) => index)) {
    const place = places.find((one) => one.index === index)!;
    const chunks = ofIndex.map(({ chunk }) => chunk).sort((a, b) => a - b);
    const looked = await sentenceInChunks(sentence, { place, chunks });
    if ("targets" in looked) targets.push(...looked.targets);
    else if (looked.share > nearest.share) nearest = looked;
  }
  return targets.length > 0 ? { targets } : nearest;
}

/** Whether a text has letters or digits, so that it can be looked for. */
export function hasLetters(text: string): boolean {
  return lettersOf(text) !== "";
}

const NO_LETTERS = /[^\p{L}\p{N}]+/gu;

function lettersOf(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(NO_LETTERS, "");
}

function piecesOf(letters: string): Set<string> {
  const length = Math.min(PIECE, letters.length);
  return new Set(
    Array.from({ length: letters.length - length + 1 }, (_, at) => letters.slice(at, at + length)),
  );
}

/** The pieces that a text has. */
function piecesIn(letters: string, pieces: ReadonlySet<string>): Set<string> {
  const [first = ""] = pieces;
  const found = new Set<string>();
  for (let at = 0; at + first.length <= letters.length; at++) {
    const piece = letters.slice(at, at + first.length);
    if (pieces.has(piece)) found.add(piece);
  }
  return found;
}

/** The part of a text around the line that has the most of the sentence. */
function partNear(text: string, wanted: string): string {
  const pieces = piecesOf(wanted);
  let best = 0, most = 0, at = 0;
  for (const line of text.split("\n")) {
    const { size } = piecesIn(lettersOf(line), pieces);
    if (size > most) [best, most] = [at, size];
    at += line.length + 1;
  }
  const part = text.slice(best, best + SHOWN);
  return part.length < text.length - best ? `${part.trimEnd()}…` : part.trimEnd();
}

/** The place of a chunk with its name. `path`: the full path of its file. */
export async function placeOfChunk(
  { index, chunk, file, filePath: path }: Pick<FoundChunk, "index" | "chunk" | "file" | "filePath">,
): Promise<PlaceOfChunk> {
  const ids = Int32Array.of(chunk);
  const [[stored], [identity]] = await Promise.all([index.chunks(ids), index.identities(ids)]);
  const { startLine, endLine, section, page } = stored!;
  return present({
    path,
    chunk: chunkId({ index, file }, stored!, identity!),
    startLine,
    endLine,
    section,
    page,
  });
}
