/**
 * The sentences of passages, made ready for comparison, and how far each has the words and values of a claim.
 */
import { areOpposite } from "./opposites.ts";
import { plainSentence, sentencesOf, type Span } from "./sentences.ts";
import { type DateValue, relation, type WrittenValue } from "./values.ts";
import { isOfPerson, isVague, type Word, type Words } from "./words.ts";
import { valuesIn } from "./written.ts";

/** A sentence in NFKC, its values, and its words outside of them. */
export interface Sentence {
  readonly plain: string;
  readonly words: readonly Word[];
  readonly values: readonly WrittenValue[];
}

/** A sentence of a passage; its place is in the passage. */
export interface Source extends Sentence, Span {
  /** Number of the passage, from 0. */
  readonly passage: number;
}

/** A word or a value of a claim. */
export interface Item {
  readonly value?: WrittenValue;
  /** The word at its first place. */
  readonly word?: Word;
  readonly weight: number;
  /** How far a source has it, 0 to 1; sources that lack it are left out. */
  readonly covers: ReadonlyMap<number, number>;
  /** The word, if it is a name. */
  readonly name?: string;
  /** Whether a part of a value stands in no passage at all. */
  readonly isAbsent?: boolean;
}

/** Sameness of words that counts. */
export const LEAST_SAME = 0.3;
/** Letters that words of one family share at least. */
const BEGINNING = 5;
/** Weight of a value: that of the rarest words. */
const VALUE_WEIGHT = 12;
/** Share of its weight that a name at the beginning has: passages say "it" where the answer names the thing. */
const SUBJECT = 0.3;

/** Returns the words and values of a sentence in the form of {@linkcode plainSentence}. */
export function sentenceOf(plain: string, words: Words): Sentence {
  const values = valuesIn(plain);
  const inValue = new Uint8Array(plain.length);
  for (const { start, end, isLoose } of values) if (!isLoose) inValue.fill(1, start, end);
  return {
    plain,
    values,
    words: words.of(plain).filter(({ start, end }) => !inValue.subarray(start, end).includes(1)),
  };
}

/** Whether most words of a sentence are Chinese. */
export function isChinese({ words }: Sentence): boolean {
  return words.filter(({ isHan }) => isHan).length * 2 > words.length;
}

/** The sentences of passages. Make one for all sentences of an answer. */
export class Passages {
  readonly sources: Source[] = [];
  /** The sources that have a term. */
  readonly #byTerm = new Map<string, number[]>();
  /** The words of the sources by their first letters. */
  readonly #byBeginning = new Map<string, Word[]>();
  /** For a word of the other language: the terms of the sources that it translates, with scores. */
  readonly #byTranslation = new Map<string, Map<string, number>>();
  /** The Chinese names of people in the sources by how they are written in Latin letters. */
  readonly #bySound = new Map<string, string[]>();
  /** The different values of the sources, and which sources have them. */
  readonly #byValue = new Map<string, { readonly value: WrittenValue; readonly places: number[] }>();
  /** The sources that have a value of a claim. */
  readonly #byClaimed = new Map<string, ReadonlyMap<number, number>>();
  readonly #words: Words;

  private constructor(words: Words) {
    this.#words = words;
  }

  /** Makes the sentences of passages ready, one in each step. */
  static *prepare(words: Words, passages: readonly string[]): Generator<undefined, Passages> {
    const prepared = new Passages(words);
    for (const [passage, text] of passages.entries()) {
      for (const { start, end } of sentencesOf(text)) {
        const sentence = sentenceOf(plainSentence(text.slice(start, end)), words);
        prepared.#addSource({ passage, start, end, ...sentence });
        yield;
      }
    }
    return prepared;
  }

  #addSource(source: Source): void {
    const i = this.sources.push(source) - 1;
    for (const word of source.words) if (word.weight > 0) this.#add(word, i);
    for (const value of source.values) {
      const key = keyOf(value);
      const known = this.#byValue.get(key);
      if (known === undefined) this.#byValue.set(key, { value, places: [i] });
      else if (known.places.at(-1) !== i) known.places.push(i);
    }
  }

  #add(word: Word, source: number): void {
    const places = this.#byTerm.get(word.term);
    if (places !== undefined) {
      if (places.at(-1) !== source) places.push(source);
      return;
    }
    this.#byTerm.set(word.term, [source]);
    listOf(this.#byBeginning, word.term.slice(0, BEGINNING)).push(word);
    for (const sound of this.#words.soundsOf(word)) listOf(this.#bySound, sound).push(word.term);
    if (isOfPerson(word)) return;
    for (const [translation, score] of this.#words.translationsOf(word)) {
      let terms = this.#byTranslation.get(translation);
      if (terms === undefined) this.#byTranslation.set(translation, terms = new Map());
      terms.set(word.term, score);
    }
  }

  /** Returns the words and values of a claim that say something, in no order. One that is repeated is one item with the sum of weights. */
  itemsOf({ plain, words, values }: Sentence): Item[] {
    const subjectEnd = endOfSubject(words);
    const items = new Map<string, Item>();
    for (const word of words) {
      if (word.weight === 0 || word.isNegation) continue;
      const weight = word.end <= subjectEnd ? word.weight * SUBJECT : word.weight;
      const known = items.get(word.term);
      if (known !== undefined) {
        items.set(word.term, { ...known, weight: known.weight + weight });
        continue;
      }
      const covers = new Map<number, number>();
      for (const [term, sameness] of this.#sameAs(word)) {
        const share = sameness === 1 ? 1 : 0.5 + sameness / 2;
        for (const i of this.#byTerm.get(term) ?? []) covers.set(i, Math.max(covers.get(i) ?? 0, share));
      }
      // The first word has a capital letter in any case.
      const isName = word.isName && (word.isHan || word.start > 0 || word.id < 0);
      const name = isName ? plain.slice(word.start, word.end) : undefined;
      items.set(word.term, { word, weight, covers, ...(name !== undefined && { name }) });
    }
    for (const value of values) {
      if (value.isLoose) continue;
      const key = keyOf(value);
      const weight = (items.get(key)?.weight ?? 0) + VALUE_WEIGHT;
      const covers = this.#coversOf(value, key);
      const isAbsent = covers.size === 0 && !this.#haveParts(value);
      items.set(key, { value: items.get(key)?.value ?? value, weight, covers, isAbsent });
    }
    return [...items.values()];
  }

  /** Returns the sources that have a value, and remembers them by its key. */
  #coversOf(value: WrittenValue, key: string): ReadonlyMap<number, number> {
    let covers = this.#byClaimed.get(key);
    if (covers === undefined) {
      const found = [...this.#byValue.values()].filter(({ value: other }) =>
        relation(value, other) === "same"
      );
      covers = new Map(found.flatMap(({ places }) => places.map((i): [number, number] => [i, 1])));
      this.#byClaimed.set(key, covers);
    }
    return covers;
  }

  /** Returns the terms of the sources that mean the same as a word, with their sameness. */
  #sameAs(word: Word): ReadonlyMap<string, number> {
    const same = new Map<string, number>();
    const note = (term: string, score: number) => {
      if (score < LEAST_SAME || score <= (same.get(term) ?? 0) || areOpposite(word, { term })) return;
      same.set(term, score);
    };
    for (const [translation, score] of this.#words.translationsOf(word)) {
      // A source in the other language has the translation itself.
      if (score >= LEAST_SAME && this.#byTerm.has(translation)) note(translation, 1);
      if (isOfPerson(word)) continue;
      for (const [term, other] of this.#byTranslation.get(translation) ?? []) {
        if (!isVague(word, { term })) note(term, Math.min(score, other));
      }
    }
    for (const other of this.#byBeginning.get(word.term.slice(0, BEGINNING)) ?? []) {
      note(other.term, this.#words.sameness(word, other));
    }
    for (const [term, score] of this.#byTranslation.get(word.term) ?? []) note(term, score);
    for (const sound of this.#words.soundsOf(word)) if (this.#byTerm.has(sound)) same.set(sound, 1);
    if (!word.isHan && word.isName) {
      for (const term of this.#bySound.get(word.term) ?? []) {
        same.set(term, 1);
      }
    }
    if (this.#byTerm.has(word.term)) same.set(word.term, 1);
    return same;
  }

  /** Whether the parts of a date stand in the passages, in whatever places: the year is often in a heading. */
  #haveParts({ value }: WrittenValue): boolean {
    if (value.kind !== "date") return false;
    const has = (part: keyof DateValue) =>
      this.#byValue.values().some(({ value: { value: other } }) =>
        other.kind === "date"
          ? other[part] === value[part]
          : part === "year" && other.kind === "quantity" && other.amount === value.year
      );
    return (["year", "month", "day"] as const).every((part) => value[part] === undefined || has(part));
  }
}

/** Returns what the relation of a value to others depends on. */
function keyOf({ value, rounded, bound, isLoose }: WrittenValue): string {
  return JSON.stringify([value, rounded, bound, isLoose]);
}

function listOf<Value>(map: Map<string, Value[]>, key: string): Value[] {
  let list = map.get(key);
  if (list === undefined) map.set(key, list = []);
  return list;
}

/** Returns the end of the names at the beginning of a sentence, 0 if it begins with none. */
function endOfSubject(words: readonly Word[]): number {
  let end = 0;
  for (const word of words) {
    if (word.isName && !word.isHan) end = word.end;
    else if (word.weight > 0 || word.isNegation || word.isHan) break;
  }
  // A sentence of names only has no subject apart.
  return end >= (words.at(-1)?.end ?? 0) ? 0 : end;
}

/** Sources that are put together to support one sentence. */
const MOST_EVIDENCE = 3;
/** Least share of the whole weight that a further source must add. */
const LEAST_GAIN = 0.08;

/** Returns the numbers of the sources that together have most of the items, the best first. */
export function evidenceFor(items: readonly Item[], sources: number): number[] {
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  const chosen: number[] = [];
  const have = new Float64Array(items.length);
  while (chosen.length < Math.min(MOST_EVIDENCE, sources)) {
    const gains = new Float64Array(sources);
    for (const [k, { weight, covers }] of items.entries()) {
      for (const [i, share] of covers) if (share > have[k]!) gains[i]! += weight * (share - have[k]!);
    }
    const next = gains.reduce((top, gain, i) => gain > gains[top]! ? i : top, 0);
    if (gains[next]! <= (chosen.length === 0 ? 0 : LEAST_GAIN * total)) break;
    chosen.push(next);
    for (const [k, { covers }] of items.entries()) have[k] = Math.max(have[k]!, covers.get(next) ?? 0);
  }
  return chosen;
}

/** Returns how far chosen sources have an item, 0 to 1. */
export function coverage({ covers }: Item, chosen: readonly number[]): number {
  return Math.max(...chosen.map((i) => covers.get(i) ?? 0));
}
