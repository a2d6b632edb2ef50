import type { QueryTerm, Tokenizer } from "../../index/mod.ts";
import type { Content } from "./content.ts";
import { STOP_WORD_WEIGHT } from "./stop_words.ts";
import type { Synonyms } from "./synonyms.ts";

/** Weight of a synonym's terms, as a factor of the weight of the word that the user wrote. */
const SYNONYM_WEIGHT = 0.5;

/**
 * Returns the distinct terms of a question: first those of its content, then its stop words with a very small weight, then
 * the synonyms of its words. A chunk that contains any of them is found. A term that occurs twice has its greatest weight.
 */
export function queryTerms(tokenizer: Tokenizer, content: Content, synonyms: Synonyms): QueryTerm[] {
  const weights = new Map<string, number>();
  const add = (terms: readonly QueryTerm[], factor: number) => {
    for (const { term, weight } of terms) {
      weights.set(term, Math.max(weights.get(term) ?? 0, weight * factor));
    }
  };
  add(tokenizer.queryTerms(content.text), 1);
  add(tokenizer.queryTerms(content.stopWords.join(" ")), STOP_WORD_WEIGHT);
  for (const { word, others } of synonyms.in(content.text)) {
    const written = sumOf(tokenizer.queryTerms(word));
    for (const other of others) {
      const terms = tokenizer.queryTerms(other);
      // A synonym with many terms must not outweigh the word that it replaces.
      add(terms, SYNONYM_WEIGHT * Math.min(1, written / sumOf(terms)));
    }
  }
  return [...weights].map(([term, weight]) => ({ term, weight }));
}

function sumOf(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}
