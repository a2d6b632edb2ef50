/**
 * A ranked passage as a hit that people see: its text, the marks of the question's words, its page,
 * an excerpt and a match degree.
 */
import { chunkId, type Segments } from "#engine/segments.ts";
import { PAGE_UNITS, rowAt } from "#documents/mod.ts";
import type { PagePart } from "#engine/chunk/mod.ts";
import {
  type ChunkIdentity,
  CJK,
  type Generated,
  inverseDocumentFrequency,
  type QueryTerm,
  stemOfTerm,
  type StoredFile,
  termsOfStem,
  type Tokenizer,
} from "#engine/index/mod.ts";
import {
  isTextIn,
  type Passage,
  passageText,
  picturesIn,
  type ReadChunk,
  rowsBetween,
  withoutLead,
} from "./passages.ts";
import type { Hit, HitGenerated, MatchDegree, OtherLocation, PageUnit, SearchRequest } from "./types.ts";
import { bestRow } from "./best_row.ts";
import { type Mark, type MarkedWords, type MarkFinder } from "./find_marks.ts";
import { characterAt, lineEnds } from "#foundation/text_offsets.ts";
import { present } from "#foundation/present.ts";
import { STOP_WORD_WEIGHT } from "#engine/query/mod.ts";
import {
  COMMON,
  isFoundByGenerated,
  type Meaning,
  type QueryWord,
  type RankedChunk,
  type Ranking,
  type WordPair,
} from "#engine/rank/mod.ts";

/** A chunk made larger than this (by `chunks_per_file`) is shown from its beginning. */
const MAX_TEXT_BYTES = 8_000_000;

/**
 * Reads the texts of passages until `maxChars` UTF-16 units are used up. A text that is too long is cut to the part that holds most of
 * the terms of the query, and its lines are those of the part. `saysNothing`: the question has no words to compare, so that the degree of
 * all hits is low. `pages`: those of each hit, with offsets in its content. `capped`: something was shortened or left out. Throws
 * `DamagedIndexError` where a text is damaged.
 */
export async function showHits(
  segments: Segments,
  passages: readonly Passage[],
  terms: readonly string[],
  maxChars: number,
  saysNothing: boolean,
): Promise<{ hits: Hit[]; pages: (readonly PagePart[])[]; capped: boolean }> {
  const hits: Hit[] = [];
  const pages: (readonly PagePart[])[] = [];
  let left = maxChars;
  let capped = false;
  const read = await readPassages(segments, passages, maxChars);
  for (const passage of passages) {
    const { best, chunks, also } = passage;
    const [first] = chunks;
    const texts = left > 0 ? await read.textsOf(passage) : [""];
    const { text, pages: ofPassage } = left > 0 ? passageText(passage, texts) : { text: "", pages: [] };
    const shown = excerpt(text, terms, left);
    capped ||= left <= 0 || shown.text.length < text.length;
    if (shown.text === "") break;
    left -= shown.text.length;
    const { startLine, section, page } = first!.stored;
    // The head of a table, repeated before its rows, is not on the lines of the chunk.
    const lead = lineEnds(texts[0]!, texts[0]!.length - withoutLead(texts[0]!, first!.stored).length);
    const from = Math.max(startLine, startLine + shown.linesBefore - lead);
    const { recognised, recognisedImages, pageUnit, rows, images, sha256 } = best.index.files[best.file]!;
    const { identity, totalLines, generated } = await read.factsOf(passage);
    const pictures = picturesIn(chunks.map(({ stored }) => stored), images, recognisedImages);
    const to = Math.max(from, startLine + shown.linesBefore + shown.lines - lead);
    hits.push(present({
      filePath: best.filePath,
      chunkId: chunkId(best, best.stored, identity),
      score: best.score,
      degree: degreeOf(saysNothing ? 0 : best.chance),
      content: shown.text,
      startLine: from,
      endLine: to,
      totalLines,
      section,
      page,
      pageUnit: isPageUnit(pageUnit) ? pageUnit : undefined,
      rows: rows === undefined ? undefined : rowsBetween(rows, from, to),
      recognised: isRecognised(chunks, recognised, recognisedImages) || undefined,
      images: pictures,
      sha256: pictures && sha256,
      generated: generated && generatedOf(generated, best),
      also: also.length > 0 ? otherPlaces(also) : undefined,
    }));
    pages.push(pagesWithin(ofPassage, shown.from, shown.from + shown.text.length));
  }
  return { hits, pages, capped };
}

/** The facts of the indexes about a passage beside its text. */
interface PassageFacts {
  readonly identity: ChunkIdentity;
  readonly totalLines: number;
  readonly generated: Generated | undefined;
}

/** The texts of passages and the facts about them. */
interface ReadPassages {
  /** The texts of the chunks of a passage. */
  textsOf(passage: Passage): Promise<readonly string[]>;
  factsOf(passage: Passage): Promise<PassageFacts>;
}

/**
 * Reads, all at once, the passages that are needed to show `maxChars` UTF-16 units. A passage that is needed after all, because others
 * are shorter than their chunks say, is read when it is asked for.
 */
async function readPassages(
  segments: Segments,
  passages: readonly Passage[],
  maxChars: number,
): Promise<ReadPassages> {
  const readTexts = async (some: readonly Passage[]) => {
    const ids = idsOf(some.flatMap(({ chunks }) => chunks)).sort();
    const texts = await segments.texts(ids, MAX_TEXT_BYTES);
    return new Map(texts.map((text, i) => [ids[i]!, text]));
  };
  const readFacts = async (some: readonly Passage[]) => {
    const [ids, lasts] = [idsOf(some.map(({ best }) => best)).sort(), new Set(some.map(lastOfFile))];
    const ofFiles = Int32Array.from(lasts).sort();
    const [identities, stored, generated] = await Promise.all([
      segments.identities(ids),
      segments.chunks(ofFiles),
      segments.hasGenerated ? segments.generated(ids) : undefined,
    ]);
    return new Map(some.map((passage): [Passage, PassageFacts] => {
      const [at, last] = [ids.indexOf(passage.best.id), ofFiles.indexOf(lastOfFile(passage))];
      return [passage, {
        identity: identities[at]!,
        totalLines: stored[last]!.endLine,
        generated: generated?.[at],
      }];
    }));
  };
  let units = 0;
  const count = passages.findIndex(({ chunks }) => {
    const isBeyond = units >= maxChars;
    units += chunks.at(-1)!.stored.end - chunks[0]!.stored.start;
    return isBeyond;
  });
  const needed = count < 0 ? passages : passages.slice(0, count);
  const [texts, facts] = await Promise.all([readTexts(needed), readFacts(needed)]);
  return {
    textsOf: async (passage) => {
      const known = texts.has(passage.chunks[0]!.id) ? texts : await readTexts([passage]);
      return passage.chunks.map(({ id }) => known.get(id)!);
    },
    factsOf: async (passage) => facts.get(passage) ?? (await readFacts([passage])).get(passage)!,
  };
}

/** Number of the last chunk of a passage's file over all indexes. */
function lastOfFile({ best: { id, chunk, index, file } }: Passage): number {
  const { firstChunk, chunkCount } = index.files[file]!;
  return id - chunk + firstChunk + chunkCount - 1;
}

/** Whether a chunk has a part of a page whose text was recognised, or text that was recognised in a picture. */
function isRecognised(
  chunks: readonly ReadChunk[],
  recognised: readonly number[] = [],
  images: StoredFile["recognisedImages"] = [],
): boolean {
  const parts = chunks.map(({ stored }) => stored);
  if (images.some((image) => isTextIn(image, parts))) return true;
  const numbers = chunks.flatMap(({ stored: { page, pages } }) =>
    pages?.map(({ number }) => number) ?? [page]
  );
  return numbers.some((one) => one !== undefined && recognised.includes(one));
}

function generatedOf({ keys: _, ...texts }: Generated, best: RankedChunk): HitGenerated {
  return isFoundByGenerated(best) ? { ...texts, isOnlyMatch: true } : texts;
}

function isPageUnit(name: string | undefined): name is PageUnit {
  return PAGE_UNITS.some((unit) => unit === name);
}

function idsOf(chunks: readonly { readonly id: number }[]): Int32Array {
  return Int32Array.from(chunks, ({ id }) => id);
}

/** Lines from the end of a chunk to the start of the next one, if a blank line is between them. */
const NEAR_LINES = 2;

/** Returns the places of chunks. Consecutive chunks of a file are one place. Files come in the order of their best chunks. */
function otherPlaces(chunks: readonly ReadChunk[]): OtherLocation[] {
  return [...Map.groupBy(chunks, ({ filePath }) => filePath)].flatMap(([filePath, ofFile]) => {
    const places: OtherLocation[] = [];
    for (const { stored, index, file } of ofFile.toSorted((a, b) => a.stored.start - b.stored.start)) {
      const { startLine, endLine, page, pages } = stored;
      const label = pages?.find(({ number }) => number === page)?.label;
      const last = places.at(-1);
      if (last !== undefined && startLine <= last.endLine + NEAR_LINES) {
        places[places.length - 1] = { ...last, endLine: Math.max(last.endLine, endLine) };
      } else {
        const { pageUnit: unit } = index.files[file]!;
        const pageUnit = page !== undefined && isPageUnit(unit) ? unit : undefined;
        places.push(present({ filePath, startLine, endLine, page, pageUnit, pageLabel: label }));
      }
    }
    return places;
  });
}

/**
 * Words whose vectors are less alike than this are not marked. Pairs of unrelated words come up to .55 (`log`, `catalogue`).
 */
const ALIKE = 0.6;

/** The least score of a translation that is marked. Below are rare senses, such as `锉刀` (a tool) for `file`. */
const SURE = 0.5;

/** Particles. A pair of characters with one of them is mostly the end of one word and the start of the next. */
const PARTICLE = /[的了吗呢]/;
const UNSPACED_TERM = new RegExp(`^[${CJK}]+$`, "u");

/** Input of {@linkcode markHits}. */
interface Marking {
  readonly segments: Segments;
  readonly ranking: Ranking;
  readonly tokenizer: Tokenizer;
  readonly finder: MarkFinder;
  /** The terms of the question. */
  readonly terms: readonly QueryTerm[];
  /** The built-in table; without it, only the question's own words are marked. */
  readonly meaning: Meaning | undefined;
  /** The passages of the hits, in their order. There may be more passages than hits. */
  readonly passages: readonly Passage[];
}

/** The hits with marks at the words of the question, at their translations, and at words like them where they are missing. */
async function markHits(hits: readonly Hit[], marking: Marking): Promise<Hit[]> {
  const { ranking, finder, meaning, passages } = marking;
  const wanted = await wantedAnywhere(marking);
  const chunks = passages.slice(0, hits.length).flatMap((passage) => passage.chunks)
    .sort((a, b) => a.id - b.id);
  const pairs = meaning === undefined ? [] : await ranking.pairs(chunks);
  const pairsOf = new Map(chunks.map(({ id }, i) => [id, pairs[i] ?? []]));
  return hits.map((hit, i) => {
    const own = passages[i]!.chunks.flatMap(({ id }) => pairsOf.get(id) ?? []);
    const all = withLikeWords(wanted, own, marking);
    const marksOf = (text: string) => finder.find(text, all);
    return { ...hit, marks: marksOf(hit.content), sectionMarks: hit.section.map(marksOf) };
  });
}

/** Returns the hits, those with a table with the row that has most of the words of the question. */
async function withBestRows(hits: readonly Hit[], marking: Marking): Promise<Hit[]> {
  if (!hits.some(({ content }) => content.includes("\n| "))) return [...hits];
  const wanted = await wantedAnywhere(marking);
  return hits.map((hit, i) => {
    const row = bestRow(hit.content, hit.endLine, wanted, marking.tokenizer);
    if (row === undefined) return hit;
    const { index, file } = marking.passages[i]!.best;
    return { ...hit, bestRow: present({ ...row, row: rowAt(index.files[file]!.rows ?? [], row.line) }) };
  });
}

/** The terms of the question, and the translations of its words. */
async function wantedAnywhere({ segments, ranking, terms, meaning }: Marking): Promise<MarkedWords> {
  const asked = markedTerms(terms);
  const counts = await segments.documentFrequencies(asked);
  const wanted = {
    terms: new Map(asked.map((term, i) => [term, inverseDocumentFrequency(segments.size, counts[i]!)])),
    words: new Map<string, number>(),
  };
  for (const word of meaning === undefined ? [] : ranking.words) {
    for (const { word: translation, score } of translationsOf(word, meaning!)) {
      if (score >= SURE) add(wanted, translation, score * word.idf, meaning!.tokenizer);
    }
  }
  return wanted;
}

function translationsOf({ text, id }: QueryWord, { table, tokenizer }: Meaning) {
  if (id < 0 || table.p[id]! > COMMON) return [];
  if (id >= table.englishCount) {
    return table.toEnglish(id).flatMap(({ word, score }) =>
      termsOfStem(word).map((term) => ({ word: term, score }))
    );
  }
  // A single character is a part of too many words.
  return table.toChinese(stemOfTerm(tokenizer.tokenize(text)[0] ?? text)).filter(({ word }) =>
    [...word].length > 1
  );
}

/** Adds the words of a passage that stand for words of the question which the passage lacks. */
function withLikeWords(
  wanted: MarkedWords,
  pairs: readonly WordPair[],
  { ranking, tokenizer }: Marking,
): MarkedWords {
  const all = { terms: new Map(wanted.terms), words: new Map(wanted.words) };
  for (const { query, chunk, cosine } of pairs) {
    if (cosine < ALIKE || cosine === 1) continue;
    const idf = ranking.words.find(({ text }) => text === query)?.idf ?? 0;
    add(all, chunk, cosine * idf, tokenizer);
  }
  return all;
}

function add(
  { terms, words }: { terms: Map<string, number>; words: Map<string, number> },
  word: string,
  weight: number,
  tokenizer: Tokenizer,
): void {
  const [key, known] = UNSPACED_TERM.test(word)
    ? [tokenizer.fold(word), words]
    : [tokenizer.tokenize(word)[0] ?? word, terms];
  if (!known.has(key)) known.set(key, weight);
}

/**
 * The terms without stop words, without single characters and digits of longer terms, and without pairs that cross two words.
 */
function markedTerms(terms: readonly QueryTerm[]): string[] {
  const content = terms.filter(({ weight }) => weight > STOP_WORD_WEIGHT).map(({ term }) => term);
  const isPair = (term: string) => [...term].length === 2 && UNSPACED_TERM.test(term);
  const many = content.filter(isPair).length > 1;
  const isPart = (term: string) =>
    [...term].length === 1 && content.some((other) => other !== term && other.includes(term));
  return content.filter((term) => !isPart(term) && !(many && isPair(term) && PARTICLE.test(term)));
}

/** Ends of sentences. Pages end with a line, so a sentence that goes over two pages is two. */
const SENTENCE_END = /[.!?](?=\s)|[。！？\n]/g;

/**
 * Returns hits with `page` at their best matching sentence, and with marks as many of the first hits as `marks` asks for, which is given
 * the hits at their first pages. `pages`: the pages of each hit, with offsets in its content. Only these hits and those of several pages
 * are marked, once: the page of any other is known.
 */
export async function placedHits(
  found: readonly Hit[],
  pages: readonly (readonly PagePart[])[],
  marks: SearchRequest["marks"],
  marking: Marking,
): Promise<Hit[]> {
  const hits = (await withBestRows(found, marking)).map((hit, i) => placedAt(hit, pages[i]!));
  const count = typeof marks === "function" ? marks(hits) : marks === true ? hits.length : 0;
  const wanted = hits.flatMap((_, i) => i < count || pages[i]!.length > 1 ? [i] : []);
  if (wanted.length === 0) return hits;
  const passages = wanted.map((i) => marking.passages[i]!);
  const marked = await markHits(wanted.map((i) => hits[i]!), { ...marking, passages });
  for (const [place, i] of wanted.entries()) {
    const hit = marked[place]!;
    const at = pages[i]!.length > 1 ? bestSentence(hit.content, hit.marks ?? []) : undefined;
    hits[i] = placedAt(i < count ? hit : hits[i]!, pages[i]!, at);
  }
  return hits;
}

/** A hit with its pages, and with that of the offset `at` in its text, by default where its chunk begins. */
function placedAt(hit: Hit, pages: readonly PagePart[], at?: number): Hit {
  const [first] = pages;
  if (first === undefined) return hit;
  const { pageLabel: _, ...rest } = hit;
  const page = at === undefined
    ? pages.find(({ number }) => number === hit.page) ?? first
    : pages.findLast((page) => page.at <= at) ?? first;
  const span = { pageStart: first.number, pageEnd: pages.at(-1)!.number };
  return present({ ...rest, page: page.number, ...span, pageLabel: page.label });
}

/** Returns the pages of a part of a text, from `from` to `to`, with offsets in the part. */
function pagesWithin(pages: readonly PagePart[], from: number, to: number): PagePart[] {
  const first = Math.max(0, pages.findLastIndex(({ at }) => at <= from));
  return pages.slice(first).filter(({ at }, i) => i === 0 || at < to)
    .map((page) => ({ ...page, at: Math.max(0, page.at - from) }));
}

/**
 * Returns the offset of the sentence whose marks weigh most, each term counted once, or `undefined` without marks. Of equal ones the first.
 */
function bestSentence(text: string, marks: readonly Mark[]): number | undefined {
  let best: { at: number; weight: number } | undefined;
  let next = 0;
  for (const [from, to] of sentences(text)) {
    const terms = new Map<string, number>();
    let first: number | undefined;
    for (; next < marks.length && marks[next]!.start < to; next++) {
      const { start, term, weight } = marks[next]!;
      if (start < from) continue;
      first ??= start;
      terms.set(term, weight);
    }
    const weight = terms.values().reduce((sum, one) => sum + one, 0);
    if (first !== undefined && weight > (best?.weight ?? 0)) best = { at: first, weight };
  }
  return best?.at;
}

function* sentences(text: string): Generator<[from: number, to: number], void, undefined> {
  let from = 0;
  for (const { 0: { length }, index } of text.matchAll(SENTENCE_END)) {
    yield [from, index + length];
    from = index + length;
  }
  yield [from, text.length];
}

/** Occurrences of one term that are looked at. More would not move the best window. */
const MAX_PLACES = 200;

/**
 * Returns at most `length` UTF-16 units of `text`: the window with the most different `terms` (lower case), moved to the
 * start of a line if one is near, or the beginning if no term occurs. A surrogate pair is never cut. `from`: its offset. `linesBefore` and
 * `lines`: line ends before it and in it.
 */
export function excerpt(text: string, terms: readonly string[], length: number) {
  let from = text.length <= length ? 0 : windowStart(text, terms, length);
  if (characterAt(text, from) < from) from++;
  const part = text.slice(from, characterAt(text, from + length));
  return { text: part, from, linesBefore: lineEnds(text, from), lines: lineEnds(part) };
}

function windowStart(text: string, terms: readonly string[], length: number): number {
  const lower = text.toLowerCase();
  // lower case can be longer than the text, which would make the offsets wrong
  if (lower.length !== text.length) return 0;
  const places = terms.flatMap((term, index) => placesOf(lower, term).map((at) => ({ at, index })))
    .sort((a, b) => a.at - b.at);
  const inside = new Map<number, number>();
  let best = 0, start = 0, first = 0;
  for (const { at, index } of places) {
    inside.set(index, (inside.get(index) ?? 0) + 1);
    for (; places[first]!.at < at - length * 0.8; first++) {
      const left = inside.get(places[first]!.index)! - 1;
      if (left > 0) inside.set(places[first]!.index, left);
      else inside.delete(places[first]!.index);
    }
    if (inside.size > best) {
      best = inside.size;
      start = places[first]!.at;
    }
  }
  const lineStart = text.lastIndexOf("\n", start) + 1;
  return start - lineStart < length * 0.2 ? lineStart : start;
}

function placesOf(text: string, term: string): number[] {
  const places: number[] = [];
  for (
    let at = text.indexOf(term);
    at >= 0 && places.length < MAX_PLACES;
    at = text.indexOf(term, at + term.length)
  ) {
    places.push(at);
  }
  return places;
}

/**
 * Least chance of a high and of a medium hit. `research/calibrate_degrees.ts` shows how many hits of each degree are right on questions
 * that were not used to fit the chances; the table is in RANKING.md, "Match degree".
 */
const HIGH = 0.8;
const MEDIUM = 0.15;

/** `chance`: how likely a hit answers the question, 0 to 1 (see `rank/evidence.ts`). */
export function degreeOf(chance: number): MatchDegree {
  return chance >= HIGH ? "high" : chance >= MEDIUM ? "medium" : "low";
}

/** The least chance of a hit of a degree. */
export function leastChance(degree: MatchDegree): number {
  return degree === "high" ? HIGH : degree === "medium" ? MEDIUM : 0;
}
