/**
 * Translations of a question's words between Chinese and English, and how sure they are.
 */
import {
  LANGUAGE_CODES,
  languageOf,
  type QueryTerm,
  stemOfTerm,
  type TermGroup,
  type TermGroupMember,
  termsOfStem,
} from "#engine/index/mod.ts";
import type { Segments, SegmentsGroups } from "#engine/segments.ts";
import type { Meaning } from "./meaning.ts";
import {
  type AskedWord,
  MatchList,
  type QueryWord,
  strongTerms,
  totalIdf,
  translatedTerms,
  type WordMatches,
} from "./query_words.ts";
import { MAX_WORDS } from "./word_rows.ts";
import type { Table, TextWords } from "#models/embedding/mod.ts";

/** The longest English phrase in the dictionary, in words. */
const LONGEST_PHRASE = 3;

/** A word that contains a digit: a name or a number, which is not translated, and neither are its parts. */
const WITH_DIGIT = /[\p{L}\p{M}\p{N}_.'’]*\p{N}[\p{L}\p{M}\p{N}_.'’]*/gu;

/** The question in the other language: one group of index terms for each of its words. */
export interface Translated {
  /** Language of the chunks that the groups are for. */
  readonly language: number;
  readonly groups: SegmentsGroups;
  /** Number of chunks that contain each group. */
  readonly frequencies: readonly number[];
  /** For each group, the words that it stands for and its wordings. */
  readonly senses: readonly Sense[];
}

/** The wordings of a group, and what they translate. */
interface Sense {
  readonly wordings: readonly Wording[];
  /** Places of the words in the list of the question's words. */
  readonly words: readonly number[];
  /** The part of these words that is translated, from 0 to 1: less than 1 for a part of a Chinese word. */
  readonly part: number;
}

/** A group that at least one chunk contains. */
interface HeldGroup {
  readonly group: TermGroup;
  readonly documentFrequency: number;
  readonly wordings: readonly Wording[];
}

/** A group that was chosen for a word or phrase of the question, and the part of that which it translates. */
interface ChosenGroup<Key> extends HeldGroup, Pick<Sense, "part"> {
  readonly of: Key;
}

/** How the words of a language are translated. */
interface Translation<Key> {
  /** Chooses groups; it may ask for any number of them. */
  choose(groupOf: GroupOf<Key>): ChosenGroup<Key>[];
  wordingsOf(key: Key): readonly Wording[];
  membersOf(wordings: readonly Wording[]): readonly TermGroupMember[];
  /** Returns the places of the words that a key stands for, in the list of the question's words. */
  placesIn(words: readonly QueryWord[]): (key: Key) => readonly number[];
}

/** Returns the group for a word or phrase; `undefined` if no chunk contains it. */
type GroupOf<Key> = (key: Key) => HeldGroup | undefined;

/** Stands for a group while its document frequency is not known. */
const PENDING: HeldGroup = { group: { members: [] }, documentFrequency: NaN, wordings: [] };

/**
 * Translates the question for chunks whose main script is not its own (English and Chinese). Of a pasted page, only the
 * rarest words are translated. Returns `undefined`, at no cost, if no index has such chunks. `asked`: the words of the question,
 * `weighed`: the same with their idf. The indexes are asked for both at the same time.
 */
export async function translate(
  text: string,
  terms: readonly QueryTerm[],
  asked: readonly AskedWord[],
  weighed: Promise<readonly QueryWord[]>,
  segments: Segments,
  meaning: Meaning,
): Promise<Translated | undefined> {
  const own = languageOf(text);
  const { en, zh } = LANGUAGE_CODES;
  if (own !== en && own !== zh) return undefined;
  const language = own === en ? zh : en;
  if (!segments.holdsLanguage(language)) return undefined;
  const kept = asked.length < MAX_WORDS ? asked : await weighed;
  const wanted = translatedTerms(terms, kept, meaning);
  const frequenciesOf = (groups: readonly TermGroup[]) => segments.groupFrequencies(groups, language);
  const groupsBy = async <Key>(translation: Translation<Key>) => {
    const [chosenGroups, words] = await Promise.all([chosen(translation, frequenciesOf), weighed]);
    const placesOf = translation.placesIn(words);
    const groups = chosenGroups.map(({ of, ...group }) => ({ ...group, words: placesOf(of) }));
    if (groups.length === 0) return undefined;
    return {
      language,
      groups: segments.weigh(groups, language, totalIdf(words)),
      frequencies: groups.map(({ documentFrequency }) => documentFrequency),
      senses: groups,
    };
  };
  return await (own === en
    ? groupsBy(fromEnglish(text, wanted, meaning))
    : groupsBy(fromChinese(text, wanted, meaning)));
}

/** Returns in how many chunks each group is. */
type FrequenciesOf = (groups: readonly TermGroup[]) => Promise<ArrayLike<number>>;

/**
 * Returns the groups that a translation chooses, which asks for one after another. Whether it asks for a group can depend on the
 * groups before, but the indexes should be asked for many groups at once. So it chooses again and again until all groups
 * that it asks for are known. Until then an unknown group counts as held, as most groups are.
 */
async function chosen<Key>(
  { choose, wordingsOf, membersOf }: Translation<Key>,
  frequenciesOf: FrequenciesOf,
): Promise<ChosenGroup<Key>[]> {
  const known = new Map<Key, HeldGroup | undefined>();
  for (;;) {
    const pending = new Map<Key, Omit<HeldGroup, "documentFrequency">>();
    const groups = choose((key) => {
      if (!known.has(key)) {
        const wordings = wordingsOf(key);
        known.set(key, wordings.length === 0 ? undefined : PENDING);
        if (wordings.length > 0) pending.set(key, { group: { members: membersOf(wordings) }, wordings });
      }
      return known.get(key);
    });
    if (pending.size === 0) return groups;
    const frequencies = await frequenciesOf(Array.from(pending.values(), ({ group }) => group));
    let i = 0;
    for (const [key, group] of pending) {
      const documentFrequency = frequencies[i++]!;
      known.set(key, documentFrequency > 0 ? { ...group, documentFrequency } : undefined);
    }
  }
}

/**
 * Chooses groups for phrases and words. From each word on, the longest phrase is used that is in the dictionary and in a
 * chunk.
 */
function fromEnglish(
  text: string,
  asked: ReadonlySet<string>,
  { table, tokenizer }: Meaning,
): Translation<string> {
  const words = tokenizer.tokenize(text.replace(WITH_DIGIT, " "));
  return {
    choose,
    wordingsOf: (phrase) => chineseWordings(phrase, table),
    membersOf: (wordings) =>
      wordings.map((wording) => ({
        terms: strongTerms(tokenizer.queryTerms(wording.word)),
        score: occurrenceWeight(wording),
      })),
    placesIn(queryWords) {
      const terms = queryWords.map(({ text }) => tokenizer.tokenize(text));
      return (phrase) => {
        const parts = phrase.split(" ");
        return terms.flatMap((own, place) => own.some((term) => parts.includes(term)) ? [place] : []);
      };
    },
  };

  function choose(groupOf: GroupOf<string>): ChosenGroup<string>[] {
    const groups: ChosenGroup<string>[] = [];
    const tried = new Set<string>();
    for (let at = 0; at < words.length;) {
      let taken = 1;
      for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 0; length--) {
        const phrase = words.slice(at, at + length);
        if (!phrase.some((word) => asked.has(word))) continue;
        const name = phrase.join(" ");
        if (tried.has(name)) continue;
        tried.add(name);
        const group = groupOf(name);
        if (group === undefined) continue;
        groups.push({ ...group, of: name, part: 1 });
        taken = length;
        break;
      }
      at += taken;
    }
    return groups;
  }
}

/**
 * Chooses groups for words as the table cuts them. A word whose translations are in no chunk is translated by its parts.
 */
function fromChinese(
  text: string,
  asked: ReadonlySet<string>,
  { table, analyzer, tokenizer }: Meaning,
): Translation<number> {
  const ids = [...analyzer.wordsOf(text)].filter((id) =>
    id >= table.englishCount &&
    strongTerms(tokenizer.queryTerms(table.words.word(id))).every((term) => asked.has(term))
  );
  return {
    choose,
    wordingsOf: (id) => englishWordings(id, table),
    membersOf: (wordings) =>
      wordings.map((wording) => ({ terms: [wording.word], score: occurrenceWeight(wording) })),
    placesIn(queryWords) {
      const placeOf = new Map(queryWords.map(({ id }, place) => [id, place]));
      return (whole) => placeOf.has(whole) ? [placeOf.get(whole)!] : [];
    },
  };

  function choose(groupOf: GroupOf<number>): ChosenGroup<number>[] {
    const groups: ChosenGroup<number>[] = [];
    const seen = new Set<number>();
    const take = (id: number, whole: number): boolean => {
      if (seen.has(id)) return true;
      seen.add(id);
      const group = groupOf(id);
      if (group === undefined) return false;
      const part = table.words.word(id).length / table.words.word(whole).length;
      groups.push({ ...group, of: whole, part });
      return true;
    };
    for (const id of ids) if (!take(id, id)) takeParts(table.words.word(id), (part) => take(part, id));
    return groups;
  }

  /** From each character on, the longest word of the table that is shorter than `word` and can be taken. */
  function takeParts(word: string, take: (id: number) => boolean): void {
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

/** A wording of some words of the question. */
export interface Known {
  readonly words: readonly number[];
  readonly sureness: number;
}

/**
 * Returns the words of each text that translate a word of the question, in the order of the text, with their sureness in
 * place of the cosine.
 */
export function matchTranslations(
  texts: readonly (TextWords | undefined)[],
  translated: Translated,
  meaning: Meaning,
): WordMatches[] {
  const known = wordingsById(texts, translated, meaning);
  const list = new MatchList();
  return texts.map((text) => {
    const ids = text?.ids ?? [];
    for (let place = 0; place < ids.length; place++) {
      for (const { words, sureness } of known.get(ids[place]!) ?? []) {
        for (const word of words) list.add(place, word, sureness);
      }
    }
    return list.finish();
  });
}

/**
 * Returns the wordings of the question's words by their numbers in the table, for the words of texts in the other language.
 */
export function wordingsById(
  texts: readonly (TextWords | undefined)[],
  { language, senses }: Translated,
  meaning: Meaning,
): ReadonlyMap<number, readonly Known[]> {
  const { table } = meaning;
  const all = senses.flatMap(({ wordings, words, part }) =>
    wordings.map(({ word, sureness }) => ({ word, words, sureness: sureness * part }))
  );
  if (language === LANGUAGE_CODES.zh) {
    const byId = Map.groupBy(all, ({ word }) => table.find(word));
    byId.delete(-1);
    return byId;
  }
  const byStem = Map.groupBy(all, ({ word }) => word);
  // A stem begins with the first letter of its words.
  const initials = new Set(byStem.keys().map((stem) => stem.charCodeAt(0)));
  const known = new Map<number, readonly Known[]>();
  const seen = new Set<number>();
  for (const text of texts) {
    for (const id of text?.ids ?? []) {
      if (id < 0 || id >= table.englishCount || seen.has(id)) continue;
      seen.add(id);
      const wordings = initials.has(meaning.initial(id)) ? byStem.get(meaning.stem(id)) : undefined;
      if (wordings !== undefined) known.set(id, wordings);
    }
  }
  return known;
}

/** A wording of a word of the question in the other language. */
interface Wording {
  /** A Chinese word, or an English index term. */
  readonly word: string;
  /** Score of the wording among all wordings of the word: 1 for the best. */
  readonly score: number;
  /** How likely the wording means what the question asks, from 0 to 1. */
  readonly sureness: number;
}

/**
 * Sureness of a wording that is not translated back: it is one word of a longer gloss, such as `look` for 抬头 (raise one's
 * head).
 */
const ONE_WAY = 0.2;

/** Returns the weight of an occurrence of a wording. Figures are in RANKING.md. */
function occurrenceWeight({ score, sureness }: Wording): number {
  return 0.6 * score + 0.4 * sureness;
}

/** Returns the Chinese wordings of an English index term, or of a phrase of two or three joined by spaces. */
export function chineseWordings(phrase: string, table: Table): Wording[] {
  const stems = phrase.split(" ").map(stemOfTerm).join(" ");
  return table.toChinese(stems).map(({ word, score }) => {
    const back = stems.includes(" ")
      ? 1
      : table.toEnglish(table.find(word)).find((other) => other.word === stems)?.score ?? ONE_WAY;
    return { word, score, sureness: score * back };
  });
}

/** Returns the English wordings (index terms) of the Chinese word with this id. */
export function englishWordings(id: number, table: Table): Wording[] {
  const own = table.words.word(id);
  return table.toEnglish(id).flatMap(({ word: stem, score }) => {
    const back = table.toChinese(stem).find((other) => other.word === own)?.score ?? ONE_WAY;
    return termsOfStem(stem).map((word) => ({ word, score, sureness: score * back }));
  });
}
