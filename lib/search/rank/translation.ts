import { LANGUAGE_CODES, languageOf, type TermGroup, type TermGroupMember } from "../../index/mod.ts";
import type { Collection, QueryTerm } from "../../index/mod.ts";
import type { Meaning } from "./meaning.ts";
import { type QueryWord, strongTerms, translatedTerms } from "./query_words.ts";

/** The longest English phrase in the dictionary, in words. */
const LONGEST_PHRASE = 3;

/** The question in the other language: a group of index terms for each of its words. */
export interface Translated {
  /** Of the documents that the groups are for. */
  readonly language: number;
  readonly groups: readonly TermGroup[];
}

/**
 * Translates the question for documents whose main script is not its own (English and Chinese); of a pasted page no more
 * than its rarest `words`. Nothing where the collection has no such documents: nothing is paid for it then.
 */
export function translate(
  text: string,
  terms: readonly QueryTerm[],
  words: readonly QueryWord[],
  collection: Collection,
  meaning: Meaning,
): Translated | undefined {
  const own = languageOf(text);
  const { en, zh } = LANGUAGE_CODES;
  if (own !== en && own !== zh) return undefined;
  const language = own === en ? zh : en;
  if (!collection.holdsLanguage(language)) return undefined;
  const asked = translatedTerms(terms, words, meaning);
  const find = (members: readonly TermGroupMember[]): TermGroup | undefined => {
    if (members.length === 0) return undefined;
    const group = collection.group(members, language);
    return group.documentFrequency > 0 ? group : undefined;
  };
  const groups = own === en
    ? fromEnglish(text, asked, meaning, find)
    : fromChinese(text, asked, meaning, find);
  return groups.length === 0 ? undefined : { language, groups };
}

type Find = (members: readonly TermGroupMember[]) => TermGroup | undefined;

/** Phrases before words: the longest one from every place on that the dictionary has and some document holds. */
function fromEnglish(text: string, asked: ReadonlySet<string>, meaning: Meaning, find: Find): TermGroup[] {
  const { table, tokenizer } = meaning;
  const words = tokenizer.tokenize(text);
  const groups: TermGroup[] = [];
  const tried = new Set<string>();
  for (let at = 0; at < words.length;) {
    let taken = 1;
    for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 0; length--) {
      const phrase = words.slice(at, at + length);
      if (!phrase.some((word) => asked.has(word))) continue;
      const name = phrase.join(" ");
      if (tried.has(name)) continue;
      tried.add(name);
      const group = find(
        table.toChinese(name).map(({ word, score }) => ({
          terms: strongTerms(tokenizer.queryTerms(word)),
          score,
        })),
      );
      if (group === undefined) continue;
      groups.push(group);
      taken = length;
      break;
    }
    at += taken;
  }
  return groups;
}

/** Words as the table cuts them; one without a translation that a document holds, by its parts. */
function fromChinese(text: string, asked: ReadonlySet<string>, meaning: Meaning, find: Find): TermGroup[] {
  const { table, analyzer, tokenizer } = meaning;
  const groups: TermGroup[] = [];
  const seen = new Set<number>();
  const take = (id: number): boolean => {
    if (seen.has(id)) return true;
    seen.add(id);
    const group = find(table.toEnglish(id).map(({ word, score }) => ({ terms: [word], score })));
    if (group !== undefined) groups.push(group);
    return group !== undefined;
  };
  for (const id of analyzer.analyze(text).words.ids.slice()) {
    if (id < table.englishCount) continue;
    const word = table.words.word(id);
    if (!strongTerms(tokenizer.queryTerms(word)).every((term) => asked.has(term))) continue;
    if (!take(id)) takeParts(word);
  }
  return groups;

  function takeParts(word: string): void {
    for (let at = 0; at < word.length;) {
      let taken = 1;
      for (let length = Math.min(word.length - 1, word.length - at); length > 1; length--) {
        const id = table.find(word.slice(at, at + length));
        if (id < 0 || !take(id)) continue;
        taken = length;
        break;
      }
      at += taken;
    }
  }
}
