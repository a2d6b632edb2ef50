/**
 * The words as they were asked before other words of the same stem.
 */
import type { TextWords } from "#models/embedding/mod.ts";
import { wordTerms } from "#engine/index/mod.ts";
import type { FoundChunk } from "#engine/segments.ts";
import { STOP_WORD_WEIGHT } from "#engine/query/mod.ts";
import type { RankRequest } from "./types.ts";

/**
 * A question of more words is left as it is: by the form of one of many words, passages that answer it less well come first
 * (nDCG@10 of Cranfield −.004).
 */
const MOST_WORDS = 7;
/** Bytes of a chunk that are looked at. */
const MOST_BYTES = 1 << 16;
/** Puts a score just above or below another one, and keeps the order of those put there. */
const STEP = 1e-6;

/** Words with Latin letters, the only ones that are stemmed. */
const WORD = /[A-Za-z]+/g;
/** Between the parts of `getUserName` and `HTMLParser`. */
const PART = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** A chunk to compare with others. The words of the question are one bit each. */
interface Held {
  readonly chunk: FoundChunk;
  /** The words that it holds in any form. */
  readonly held: number;
  /** Share of the idf of the other terms of the question: those that are not stemmed, and synonyms. */
  readonly others: number;
  /** Factor for tests and lists of links. */
  readonly standing: number;
  readonly score: number;
  /** Its words as ids of the built-in table, if they are known. */
  readonly words: TextWords | undefined;
}

/** The facts that are known of some chunks, one of each kind for a chunk. */
interface Facts {
  readonly scores: Float64Array;
  /** Factors for tests and lists of links. */
  readonly standings: Float64Array;
  readonly texts?: readonly (TextWords | undefined)[] | undefined;
}

/** A chunk whose text is known. */
interface Compared extends Held {
  /** The words that it holds as they were asked. */
  readonly exact: number;
}

/**
 * Puts chunks with the question's words before those that have only other words of the same stems: `compass` and
 * `compassion` have one index term. A chunk comes before another if it holds each word of the question at least as exactly
 * (the word itself, another form, nothing) and one more exactly. Its score is lifted as far as needed, so all else stays.
 *
 * A chunk that was compared keeps its score, and those that later answers add are put between.
 */
export class ExactForms {
  readonly #request: RankRequest;
  /** The index terms of the question's words by the words themselves. */
  readonly #asked: ReadonlyMap<string, string>;
  /** The chunks compared so far, with their new scores. */
  readonly #known = new Map<number, Compared>();
  /** The words that chunks hold, by their numbers. */
  readonly #prepared = new Map<number, Pick<Held, "held" | "others">>();

  constructor(request: RankRequest) {
    this.#request = request;
    this.#asked = askedWords(request);
  }

  get #counts(): boolean {
    return this.#asked.size > 0 && this.#asked.size <= MOST_WORDS;
  }

  /** Asks the indexes which words chunks hold, for {@linkcode factors} to come. The chunks are in ascending order. */
  async prepare(ids: Int32Array): Promise<void> {
    const missing = ids.filter((id) => !this.#prepared.has(id));
    if (!this.#counts || missing.length === 0) return;
    const { segments, terms } = this.#request;
    const ofWords = [...new Set(this.#asked.values())];
    const bits = Array.from(this.#asked.values(), (term) => 1 << ofWords.indexOf(term));
    const rest = terms.filter(({ term, weight }) => weight > STOP_WORD_WEIGHT && !ofWords.includes(term));
    const shares = async () => (await segments.scoreTerms(await segments.lookUp(rest), missing)).coverage;
    const [inChunks, others] = await Promise.all([
      segments.termsIn(ofWords, missing),
      rest.length === 0 ? undefined : shares(),
    ]);
    for (const [i, id] of missing.entries()) {
      const held = bits.reduce((held, bit, word) => (inChunks[i]! & bit) === 0 ? held : held | 1 << word, 0);
      this.#prepared.set(id, { held, others: others?.[i] ?? 0 });
    }
  }

  /** Reads the chunks that {@linkcode factors} will compare first. */
  async read(chunks: readonly FoundChunk[]): Promise<void> {
    if (!this.#counts) return;
    const ids = Int32Array.from(chunks, ({ id }) => id).sort();
    const { segments } = this.#request;
    await Promise.all([segments.texts(ids, MOST_BYTES), segments.chunks(ids)]);
  }

  /**
   * Returns a factor for the score of each chunk, in the order given. `most`: the number of chunks that can be shown. Texts of
   * others are read only if they may come before one of these.
   */
  async factors(
    found: readonly FoundChunk[],
    facts: Facts,
    most: number,
  ): Promise<Float64Array> {
    const factors = new Float64Array(found.length).fill(1);
    if (!this.#counts) return factors;
    const unknown = await this.#heldBy(found, facts);
    const best = new Set(unknown.toSorted((a, b) => b.score - a.score).slice(0, most));
    const shown = await this.#compare([...best]);
    const other = shown.filter(({ held, exact }) => held !== exact);
    const rivals = unknown.filter((rival) =>
      !best.has(rival) && other.some((chunk) => mayPrecede(rival, chunk))
    );
    this.#place([...shown, ...await this.#compare(rivals)]);
    for (const [i, { id }] of found.entries()) {
      const known = this.#known.get(id);
      if (known !== undefined) factors[i] = known.score / facts.scores[i]!;
    }
    return factors;
  }

  /** Returns the chunks that have a word of the question in any form and were not compared so far. */
  async #heldBy(found: readonly FoundChunk[], { scores, standings, texts }: Facts): Promise<Held[]> {
    const order = found.map((chunk, i) => ({ chunk, i }))
      .filter(({ chunk, i }) => scores[i]! > 0 && !this.#known.has(chunk.id))
      .sort((a, b) => a.chunk.id - b.chunk.id);
    await this.prepare(Int32Array.from(order, ({ chunk }) => chunk.id));
    return order.map(({ chunk, i }): Held => ({
      chunk,
      ...this.#prepared.get(chunk.id)!,
      standing: standings[i]!,
      score: scores[i]!,
      words: texts?.[i],
    })).filter(({ held }) => held !== 0);
  }

  /** Looks for the words themselves in chunks, with their headings and the names of their files. */
  async #compare(chunks: readonly Held[]): Promise<Compared[]> {
    const { segments, meaning } = this.#request;
    const words = [...this.#asked.keys()];
    const exactOf = ({ held }: Held, has: (word: string) => boolean) =>
      words.reduce((exact, word, i) => (held & 1 << i) !== 0 && has(word) ? exact | 1 << i : exact, 0);
    const [decoded, unread] = [[] as Compared[], [] as Held[]];
    for (const chunk of chunks) {
      if (chunk.words === undefined || meaning === undefined) unread.push(chunk);
      else {
        const { ids } = chunk.words;
        const has = (word: string) => ids.includes(meaning.wordsOf(word)[0]!);
        decoded.push({ ...chunk, exact: exactOf(chunk, has) });
      }
    }
    if (unread.length === 0) return decoded;
    unread.sort((a, b) => a.chunk.id - b.chunk.id);
    const ids = Int32Array.from(unread, ({ chunk }) => chunk.id);
    const [texts, stored] = await Promise.all([segments.texts(ids, MOST_BYTES), segments.chunks(ids)]);
    const read = unread.map((held, i): Compared => {
      const { index, file } = held.chunk;
      const { path } = index.files[file]!;
      const all = plain([path.slice(path.lastIndexOf("/") + 1), ...stored[i]!.section, texts[i]!].join("\n"));
      const lower = all.toLowerCase();
      return { ...held, exact: exactOf(held, (word) => hasWord(all, lower, word)) };
    });
    return [...decoded, ...read];
  }

  /** Gives chunks their new scores. */
  #place(chunks: readonly Compared[]): void {
    const earlier = [...this.#known.values()];
    const most = chunks.reduce((max, { score }) => Math.max(max, score), 0);
    for (const chunk of chunks.toSorted((a, b) => levelOf(a) - levelOf(b))) {
      let low = 0, high = Infinity;
      for (const other of this.#known.values()) if (precedes(chunk, other)) low = Math.max(low, other.score);
      for (const other of earlier) if (precedes(other, chunk)) high = Math.min(high, other.score);
      const lifted = Math.max(chunk.score, low * (1 + STEP * (1 + chunk.score / most)));
      this.#known.set(chunk.chunk.id, { ...chunk, score: Math.min(lifted, high * (1 - STEP)) });
    }
  }
}

/** Returns whether `a` must come before `b`. */
function precedes(a: Compared, b: Compared): boolean {
  return (a.exact & b.held & ~b.exact) !== 0 && (b.exact & ~a.exact) === 0 && mayPrecede(a, b);
}

/** Returns whether `a` must come before `b` if its words are the more exact ones. A test or a list of links need not. */
function mayPrecede(a: Held, b: Held): boolean {
  return (b.held & ~a.held) === 0 && a.others >= b.others && a.standing >= b.standing;
}

/** Returns a greater number for a chunk than for those that it precedes. */
function levelOf({ exact, held }: Compared): number {
  return bits(exact) + bits(held);
}

function bits(of: number): number {
  let count = 0;
  for (let rest = of; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Returns the English words of the question that are no stop words. */
function askedWords({ text, terms }: RankRequest): ReadonlyMap<string, string> {
  const content = new Set(terms.filter(({ weight }) => weight > STOP_WORD_WEIGHT).map(({ term }) => term));
  const asked = new Map<string, string>();
  for (const [word] of plain(text).matchAll(WORD)) {
    for (const part of word.split(PART)) {
      const [term = ""] = wordTerms(part);
      if (part.length > 2 && content.has(term)) asked.set(part.toLowerCase(), term);
    }
  }
  return asked;
}

/** Returns whether a text has a word. `lower`: the text in lower case. */
function hasWord(text: string, lower: string, word: string): boolean {
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (startsAt(text, at) && (!isLetter(text, end) || startsAt(text, end))) return true;
  }
  return false;
}

/** Returns whether a letter is the first of a word, or of a part of `getUserName` or `HTMLParser`. */
function startsAt(text: string, at: number): boolean {
  return !isLetter(text, at - 1) || isUpper(text, at) && (isLower(text, at - 1) || isLower(text, at + 1));
}

function isLetter(text: string, at: number): boolean {
  return isLower(text, at) || isUpper(text, at);
}

function isLower(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 97 && code <= 122;
}

function isUpper(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90;
}

/** Accented, wide and joined Latin letters, and accents. */
const ODD = /[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff\ufb00-\ufb06\uff21-\uff5a]/;

/** Returns a text as the index sees it: NFKC, and Latin letters without accents. */
function plain(text: string): string {
  return ODD.test(text) ? text.normalize("NFKD").replace(/\p{M}+/gu, "") : text;
}
