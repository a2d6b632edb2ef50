/**
 * Why a document is not in an answer: it is taken through the gates in their order, by the walk, the index and the search themselves,
 * until one of them stops it.
 */
import { present } from "#foundation/present.ts";
import { UserError } from "#foundation/errors.ts";
import type { OpenIndex, Tokenizer } from "#engine/index/mod.ts";
import { belowTest } from "#engine/query/mod.ts";
import type { Filter } from "#engine/segments.ts";
import type { Catalog } from "../catalog/types.ts";
import type { Inspect } from "../answer.ts";
import { askedScope } from "../served_collections.ts";
import { type SearchedFolder, SearchedFolders } from "../served_folders.ts";
import type { SearchRequest } from "../types.ts";
import { fileGates, type FileParts, namedFile, type PassedFile, type Stop } from "./file_gates.ts";
import { searchGates } from "./search_gates.ts";
import {
  chunksOfFile,
  hasLetters,
  placeOfChunk,
  sentenceAnywhere,
  sentenceInChunks,
  type SentencePlace,
  type Target,
} from "./target.ts";
import type { GateFacts, PassedGate, PlaceOfChunk, WhyNot, WhyNotRequest } from "./types.ts";

/** The parts of a library that a question needs. */
export interface WhyNotParts extends FileParts {
  readonly tokenizer: Tokenizer;
  readonly catalog: () => Promise<Catalog>;
  /** Searches, and shows the state of the search. */
  readonly search: (request: SearchRequest, inspect: Inspect) => Promise<unknown>;
}

/** The chunks that are meant, and the gates that their file passed. */
interface Meant {
  readonly targets: readonly Target[];
  readonly passed: readonly PassedGate[];
  readonly path?: string;
  readonly root?: string;
  /** The reasons of files of which the index has an old text, by their paths, if they are not shown. */
  readonly doubts?: ReadonlyMap<string, Stop>;
}

/** See {@linkcode import("../types.ts").Library.whyNot}. */
export async function whyNot(
  request: WhyNotRequest,
  parts: WhyNotParts,
  signal?: AbortSignal,
): Promise<WhyNot> {
  const text = request.text?.trim() ?? "";
  const path = request.path?.trim() ?? "";
  const id = request.chunk?.trim() ?? "";
  if (path === "" && id === "" && !hasLetters(text)) throw new UserError("why_not_nothing");
  using searched = await SearchedFolders.open(parts.folders);
  searched.allAvailable();
  signal?.throwIfAborted();
  const meant = path !== "" || id !== ""
    ? await meantFile({ path, id, text }, searched, parts, signal)
    : await meantSentence(text, searched, parts);
  if ("gate" in meant) return meant;
  return await throughSearch(meant, request.search, parts);
}

/** The file or chunk that a result is about. */
interface About {
  readonly path?: string | undefined;
  readonly root?: string | undefined;
  readonly place?: PlaceOfChunk | undefined;
}

/** The result for what a gate before the search stopped. */
function stoppedAt(
  { gate, reason, by, setting }: Stop,
  passed: readonly PassedGate[],
  { path, root, place }: About = {},
): WhyNot {
  return present({ gate, reason, by, setting, passed, path, root, place });
}

interface Asked {
  readonly path: string;
  readonly id: string;
  readonly text: string;
}

/** The chunks of a file that is named, or of the file of a chunk that is. */
async function meantFile(
  { path, id, text }: Asked,
  { indexed }: SearchedFolders,
  parts: WhyNotParts,
  signal: AbortSignal | undefined,
): Promise<WhyNot | Meant> {
  const ofChunk = path === "" ? await fileOfChunk(id, parts, signal) : undefined;
  if (path === "" && ofChunk === undefined) {
    return stoppedAt({ gate: "found", reason: "unknown_chunk", by: {} }, []);
  }
  const named = await namedFile(ofChunk?.path ?? path, parts);
  if ("gate" in named) return stoppedAt(named, [], { path });
  const { folder, cited } = named;
  const about = { path: folder.pathOf(named.path), root: folder.root };
  const place = indexed.find((one) => one.folder === folder);
  const file = await fileGates(named, place?.index, parts);
  if ("stop" in file) return stoppedAt(file.stop, file.passed, about);
  const lines = ofChunk ?? cited ?? {};
  const chunks = await chunksOfFile(place!, file.record, lines);
  const target = {
    place: place!,
    chunks: chunks.length === 0 ? await chunksOfFile(place!, file.record) : chunks,
  };
  if (!hasLetters(text)) {
    return { targets: [target], passed: file.passed, ...about, doubts: doubtsOf(file, about.path) };
  }
  return await withSentence(text, target, file, about);
}

function doubtsOf({ doubt }: PassedFile, path: string): Map<string, Stop> {
  return new Map(doubt === undefined ? [] : [[path, doubt]]);
}

/** The file and the lines of a chunk; `undefined` if the indexes have no such chunk. */
async function fileOfChunk(id: string, parts: WhyNotParts, signal: AbortSignal | undefined) {
  try {
    const { path, chunks } = await (await parts.catalog()).chunkContext(id, 0, 0, signal);
    const [{ startLine, endLine } = { startLine: 1, endLine: 1 }] = chunks;
    return { path, startLine, endLine };
  } catch (error) {
    if (error instanceof UserError && error.key === "chunk_not_found") return undefined;
    throw error;
  }
}

/** The chunks of a file that hold a sentence. */
async function withSentence(
  text: string,
  target: Target,
  file: PassedFile,
  about: { readonly path: string; readonly root: string },
): Promise<WhyNot | Meant> {
  const found = await sentenceInChunks(text, target);
  if ("targets" in found) {
    const passed = [...file.passed, { gate: "text", by: {} } as const];
    return { targets: found.targets, passed, ...about, doubts: doubtsOf(file, about.path) };
  }
  const { record: { emptyPages = [], pages }, doubt, keys, passed } = file;
  if (doubt !== undefined) return stoppedAt(doubt, before(doubt, passed), about);
  const by = present({ ...await nearestIn(found), ...(emptyPages.length > 0 && { emptyPages, pages }) });
  if (emptyPages.length > 0) {
    const setting = { key: "files.ocr", value: "off", needed: "tesseract" };
    return stoppedAt({ gate: "text", reason: "unread_pages", by, setting }, passed, about);
  }
  if (keys !== undefined) {
    const stop: Stop = { gate: "indexed", reason: "settings", by: { keys } };
    return stoppedAt(stop, before(stop, passed), about);
  }
  return stoppedAt({ gate: "text", reason: "not_there", by }, passed, about);
}

/** The chunks of all folders that hold a sentence, in files that pass their gates. */
async function meantSentence(
  text: string,
  { indexed }: SearchedFolders,
  parts: WhyNotParts,
): Promise<WhyNot | Meant> {
  const filter = parts.isLimited ? await knownFiles(indexed) : undefined;
  const found = await sentenceAnywhere(text, indexed, parts.tokenizer, filter);
  if (!("targets" in found)) {
    return stoppedAt({ gate: "text", reason: "nowhere", by: await nearestIn(found) }, []);
  }
  const targets: Target[] = [];
  const doubts = new Map<string, Stop>();
  let first: WhyNot | undefined, passed: readonly PassedGate[] = [];
  for (const { place, chunks } of found.targets) {
    const stored = await place.index.chunks(Int32Array.from(chunks));
    for (const [file, ofFile] of Map.groupBy(chunks, (_, i) => stored[i]!.file)) {
      const { path } = place.index.files[file]!;
      const full = place.folder.pathOf(path);
      const gates = await fileGates({ folder: place.folder, path }, place.index, parts);
      if ("stop" in gates) {
        first ??= stoppedAt(gates.stop, gates.passed, { path: full, root: place.folder.root });
      } else {
        targets.push({ place, chunks: ofFile });
        if (gates.doubt !== undefined) doubts.set(full, gates.doubt);
        if (passed.length === 0) passed = gates.passed;
      }
    }
  }
  if (targets.length === 0) return first!;
  return { targets, passed: [...passed, { gate: "text", by: {} }], doubts };
}

/** Where access is limited: the files that have not changed since they were indexed. */
async function knownFiles(places: readonly SearchedFolder[]): Promise<Filter> {
  const masks = new Map<OpenIndex, Uint8Array>();
  for (const { folder, index } of places) {
    const hidden = await folder.hiddenFiles(index, true);
    masks.set(index, Uint8Array.from(index.files, ({ path }) => hidden.has(path) ? 0 : 1));
  }
  return (index) => ({ files: masks.get(index)!, phrases: [], excluded: [], excludedPhrases: [] });
}

async function nearestIn(found: Exclude<SentencePlace, { readonly targets: unknown }>): Promise<GateFacts> {
  const { nearest, share } = found;
  if (nearest === undefined) return {};
  const { place: { folder, index }, chunk, text } = nearest;
  const [stored] = await index.chunks(Int32Array.of(chunk));
  const filePath = folder.pathOf(index.files[stored!.file]!.path);
  const place = await placeOfChunk({ index, chunk, file: stored!.file, filePath });
  return { passage: { ...place, text }, share };
}

/** The gates before one. */
function before({ gate }: Stop, passed: readonly PassedGate[]): PassedGate[] {
  const at = passed.findIndex((one) => one.gate === gate);
  return at < 0 ? [...passed] : passed.slice(0, at);
}

/** Takes chunks through the gates of the search. */
async function throughSearch(
  { targets, passed, path, root, doubts }: Meant,
  asked: SearchRequest,
  parts: WhyNotParts,
): Promise<WhyNot> {
  const scope = await askedScope(asked, parts);
  const inScope: Target[] = [];
  for (const { place, chunks } of targets) {
    if (!scope.folders.includes(place.folder)) continue;
    const isBelow = belowTest(scope.below.get(place.folder.root));
    const stored = await place.index.chunks(Int32Array.from(chunks));
    const below = chunks.filter((_, i) => isBelow(place.index.files[stored[i]!.file]!.path));
    if (below.length > 0) inScope.push({ place, chunks: below });
  }
  if (inScope.length === 0) {
    const value = asked.collections ?? asked.dirPath ?? "";
    const key = asked.collections === undefined ? "dir_path" : "collections";
    const setting = { key, value, change: { wholeScope: true } } as const;
    return stoppedAt(
      { gate: "filter", reason: "out_of_scope", by: { conditions: [value] }, setting },
      passed,
      { path, root },
    );
  }
  let result: WhyNot | undefined;
  const request = { ...asked, offset: 0, explain: true, marks: false };
  await parts.search(request, async ({ found }) => {
    const state = found.state!;
    const numbers = new Map(inScope.map(({ place, chunks }) => [place.index, new Set(chunks)]));
    const isTarget = ({ index, chunk }: { readonly index: OpenIndex; readonly chunk: number }) =>
      numbers.get(index)?.has(chunk) === true;
    // Another process may have replaced the index meanwhile.
    if (!state.segments.indexes.some((index) => numbers.has(index))) {
      throw new UserError("why_not_index_replaced");
    }
    const judged = await searchGates({
      state,
      considered: found.considered ?? [],
      outcomes: found.explanation!.chunks.map(({ outcome }) => outcome),
      minDegree: asked.minDegree,
      rerank: parts.config.rerank,
    }, isTarget);
    const { stop, chunk } = judged;
    const doubt = stop.gate === "shown" ? undefined : doubts?.get(chunk.filePath);
    const place = await placeOfChunk(chunk);
    const gates = doubt === undefined ? [...passed, ...judged.passed] : before(doubt, passed);
    const ofChunk = inScope.find(({ place }) => place.index === chunk.index)!.place.folder.root;
    const whole = stoppedAt(doubt ?? stop, gates, { path: chunk.filePath, root: ofChunk, place });
    result = { ...whole, mode: state.mode };
  });
  return result!;
}
