import { type Filter, type IndexReader, LANGUAGE_CODES, type Tokenizer } from "../../index/mod.ts";
import { fileTest } from "./file_filter.ts";
import type { ParsedQuery, QueryFilters } from "./types.ts";
import { dropWords, keepPhrase } from "./words_filter.ts";

/** What a chunk must be, hold and not hold. */
export interface ChunkConditions extends Pick<ParsedQuery, "phrases" | "excluded" | "excludedPhrases"> {
  /** Those typed and those given as parameters: all must hold. */
  readonly filters: readonly QueryFilters[];
  /** Another filter that must hold too, such as that of the folder searched. */
  readonly within?: Filter | undefined;
}

/**
 * The mask of the chunks that meet all the conditions, made once for each reader; nothing where there are none.
 */
export function filterFor(tokenizer: Tokenizer, conditions: ChunkConditions): Filter | undefined {
  const { phrases, excluded, excludedPhrases, filters, within } = conditions;
  const accepts = fileTest(filters);
  const languages = filters.flatMap(({ lang, not }) => [
    ...(lang.length > 0 ? [{ codes: lang.map((name) => LANGUAGE_CODES[name]), wanted: true }] : []),
    ...(not.lang.length > 0 ? [{ codes: not.lang.map((name) => LANGUAGE_CODES[name]), wanted: false }] : []),
  ]);
  const words = phrases.length + excluded.length + excludedPhrases.length;
  if (accepts === undefined && languages.length === 0 && words === 0) return within;

  const masks = new Map<IndexReader, Uint8Array>();
  const build = (reader: IndexReader): Uint8Array => {
    const mask = within?.(reader)?.slice() ?? new Uint8Array(reader.chunks.length).fill(1);
    for (const file of accepts === undefined ? [] : reader.files) {
      if (!accepts!(file)) mask.fill(0, file.firstChunk, file.firstChunk + file.chunkCount);
    }
    for (const { codes, wanted } of languages) keepLanguages(mask, reader.chunks.languages, codes, wanted);
    // what must be looked for in texts comes last: few chunks are left then
    for (const word of excluded) dropWords(mask, reader, tokenizer, word, false);
    for (const phrase of phrases) keepPhrase(mask, reader, tokenizer, phrase);
    for (const phrase of excludedPhrases) dropWords(mask, reader, tokenizer, phrase, true);
    return mask;
  };
  return (reader) => {
    let mask = masks.get(reader);
    if (mask === undefined) masks.set(reader, mask = build(reader));
    return mask;
  };
}

function keepLanguages(
  mask: Uint8Array,
  languages: Uint8Array,
  codes: readonly number[],
  wanted: boolean,
): void {
  const kept = new Uint8Array(256).fill(wanted ? 0 : 1);
  for (const code of codes) kept[code] = wanted ? 1 : 0;
  for (let chunk = 0; chunk < mask.length; chunk++) mask[chunk]! &= kept[languages[chunk]!]!;
}
