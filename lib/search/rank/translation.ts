import { LANGUAGE_CODES, languageOf, type QueryTerm } from "../../index/mod.ts";
import type { TermGroup, TermGroupMember } from "../../store/mod.ts";
import type { Collection, CollectionGroups } from "../collection.ts";
import type { Meaning } from "./meaning.ts";
import { type QueryWord, strongTerms, totalIdf, translatedTerms } from "./query_words.ts";

/** The longest English phrase in the dictionary, in words. */
const LONGEST_PHRASE = 3;

/** The question in the other language: one group of index terms for each of its words. */
export interface Translated {
  /** Language of the chunks that the groups are for. */
  readonly language: number;
  readonly groups: CollectionGroups;
  /** Number of chunks that contain each group. */
  readonly frequencies: readonly number[];
}

/** A group that at least one chunk contains. */
interface HeldGroup {
  readonly group: TermGroup;
  readonly documentFrequency: number;
}

/** The groups that at least one chunk contains, by the text that they translate. */
type HeldGroups<Key> = ReadonlyMap<Key, HeldGroup>;

/** Returns the groups that at least one chunk contains. */
type Held = <Key>(members: ReadonlyMap<Key, readonly TermGroupMember[]>) => Promise<HeldGroups<Key>>;

/**
 * Translates the question for chunks whose main script is not its own (English and Chinese). Of a pasted page, only the
 * rarest `words` are translated. Returns `undefined`, at no cost, if the collection has no such chunks.
 */
export async function translate(
  text: string,
  terms: readonly QueryTerm[],
  words: readonly QueryWord[],
  collection: Collection,
  meaning: Meaning,
): Promise<Translated | undefined> {
  const own = languageOf(text);
  const { en, zh } = LANGUAGE_CODES;
  if (own !== en && own !== zh) return undefined;
  const language = own === en ? zh : en;
  if (!collection.holdsLanguage(language)) return undefined;
  const asked = translatedTerms(terms, words, meaning);
  const held: Held = async (members) => {
    const groups = Array.from(members, ([key, members]) => ({ key, group: { members } }))
      .filter(({ group }) => group.members.length > 0);
    if (groups.length === 0) return new Map();
    const frequencies = await collection.groupFrequencies(groups.map(({ group }) => group), language);
    return new Map(groups.flatMap(({ key, group }, i) => {
      const documentFrequency = frequencies[i]!;
      return documentFrequency > 0 ? [[key, { group, documentFrequency }] as const] : [];
    }));
  };
  const groups = own === en
    ? await fromEnglish(text, asked, meaning, held)
    : await fromChinese(text, asked, meaning, held);
  if (groups.length === 0) return undefined;
  return {
    language,
    groups: collection.weigh(groups, language, totalIdf(words)),
    frequencies: groups.map(({ documentFrequency }) => documentFrequency),
  };
}

/**
 * Returns groups for phrases and words. From each word on, the longest phrase is used that is in the dictionary and in a
 * chunk.
 */
async function fromEnglish(
  text: string,
  asked: ReadonlySet<string>,
  { table, tokenizer }: Meaning,
  held: Held,
): Promise<HeldGroup[]> {
  const words = tokenizer.tokenize(text);
  const phrases = new Map<string, TermGroupMember[]>();
  for (let at = 0; at < words.length; at++) {
    for (const phrase of phrasesFrom(words, at, asked)) {
      if (phrases.has(phrase)) continue;
      phrases.set(
        phrase,
        table.toChinese(phrase).map(({ word, score }) => ({
          terms: strongTerms(tokenizer.queryTerms(word)),
          score,
        })),
      );
    }
  }
  const found = await held(phrases);
  const groups: HeldGroup[] = [];
  const tried = new Set<string>();
  for (let at = 0; at < words.length;) {
    const phrase = phrasesFrom(words, at, asked).find((phrase) => {
      const isNew = !tried.has(phrase);
      tried.add(phrase);
      return isNew && found.has(phrase);
    });
    if (phrase !== undefined) groups.push(found.get(phrase)!);
    at += phrase?.split(" ").length ?? 1;
  }
  return groups;
}

/** Returns the phrases that begin at word `at` and contain a content word, longest first. */
function phrasesFrom(words: readonly string[], at: number, asked: ReadonlySet<string>): string[] {
  const longest = Math.min(LONGEST_PHRASE, words.length - at);
  return Array.from({ length: longest }, (_, i) => words.slice(at, at + longest - i))
    .filter((phrase) => phrase.some((word) => asked.has(word)))
    .map((phrase) => phrase.join(" "));
}

/** Returns groups for the words of the table. A word whose translations are in no chunk is translated by its parts. */
async function fromChinese(
  text: string,
  asked: ReadonlySet<string>,
  { table, analyzer, tokenizer }: Meaning,
  held: Held,
): Promise<HeldGroup[]> {
  const membersOf = (ids: readonly number[]) =>
    new Map(ids.map((id) => [id, table.toEnglish(id).map(({ word, score }) => ({ terms: [word], score }))]));
  const ids = [...analyzer.analyze(text).words.ids].filter((id) =>
    id >= table.englishCount &&
    strongTerms(tokenizer.queryTerms(table.words.word(id))).every((term) => asked.has(term))
  );
  const whole = await held(membersOf(ids));
  const parts = ids.filter((id) => !whole.has(id)).flatMap((id) => partsOf(table.words.word(id)).flat());
  const found = new Map([...whole, ...await held(membersOf(parts.map(({ id }) => id)))]);

  const groups: HeldGroup[] = [];
  const seen = new Set<number>();
  const take = (id: number): boolean => {
    if (seen.has(id)) return true;
    seen.add(id);
    const group = found.get(id);
    if (group !== undefined) groups.push(group);
    return group !== undefined;
  };
  for (const id of ids) {
    if (take(id)) continue;
    const atEach = partsOf(table.words.word(id));
    for (let at = 0; at < atEach.length;) at += atEach[at]!.find((part) => take(part.id))?.length ?? 1;
  }
  return groups;

  /** Returns for each position in a word the words of the table that begin there, longest first, without the word itself. */
  function partsOf(word: string): { readonly id: number; readonly length: number }[][] {
    return Array.from({ length: word.length }, (_, at) => {
      const longest = Math.min(word.length - 1, word.length - at);
      return Array.from({ length: Math.max(0, longest - 1) }, (_, i) => longest - i)
        .map((length) => ({ id: table.find(word.slice(at, at + length)), length }))
        .filter(({ id }) => id >= 0);
    });
  }
}
