import type { CedictEntry } from "./sources.ts";

/** Senses that do not describe a meaning. */
const NO_MEANING =
  /^(CL:|(old |erhua |archaic |Japanese |Taiwan |nonstandard )*variant of|surname |also written|see (also )?[\u3400-\u9fff]|also pr\.|abbr\. for [\u3400-\u9fff]|Taiwan pr\.|used in )/;

/** Returns a sense without parentheses, Chinese characters and pinyin. */
export function cleanSense(sense: string): string {
  return sense
    .replace(/\([^()]*\)/g, " ")
    .replace(/\([^()]*\)/g, " ")
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/[\u2e80-\u9fff|·]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns the English meanings of a word in the order of the dictionary, names last. */
export function meanings(entries: readonly CedictEntry[]): string[] {
  const isName = ({ pinyin }: CedictEntry) => /^[A-Z]/.test(pinyin);
  const ordered = [...entries.filter((entry) => !isName(entry)), ...entries.filter(isName)];
  const senses = ordered.flatMap(({ senses }) =>
    senses.filter((sense) => !NO_MEANING.test(sense) && !/\(surname\)$/.test(sense)).map(cleanSense)
  );
  return [...new Set(senses)].filter((sense) => /[a-zA-Z0-9]/.test(sense));
}
