import type { TextWords } from "../../embedding/mod.ts";
import { LANGUAGE_CODES } from "../../index/mod.ts";
import type { Meaning } from "./meaning.ts";
import type { Translated } from "./translation.ts";
import type { WordMatches } from "./word_matches.ts";

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
  return texts.map((text) => {
    const places: number[] = [], words: number[] = [], sureness: number[] = [];
    const ids = text?.ids ?? [];
    for (let place = 0; place < ids.length; place++) {
      const found = known.get(ids[place]!);
      if (found === undefined) continue;
      for (const each of found) {
        for (const word of each.words) {
          places.push(place);
          words.push(word);
          sureness.push(each.sureness);
        }
      }
    }
    return {
      places: Int32Array.from(places),
      words: Int32Array.from(words),
      cosines: Float32Array.from(sureness),
    };
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
