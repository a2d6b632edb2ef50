import type { QueryTerm } from "../../index/mod.ts";
import { byReader, type Candidates } from "./candidates.ts";
import { exact } from "./legs/exact.ts";
import { feedback, feedbackTerms } from "./legs/feedback.ts";
import { maxsim } from "./legs/maxsim.ts";
import { sentence } from "./legs/sentence.ts";
import { soft } from "./legs/soft.ts";
import { vector } from "./legs/vector.ts";
import { window } from "./legs/window.ts";
import type { Question } from "./question.ts";
import type { LegName } from "./types.ts";
import { matchWords, wordsOf } from "./word_matches.ts";

/** What each leg says of each candidate, as its formula gives it; a leg that has nothing to stand on is left out. */
export type LegValues = Partial<Record<LegName, Float64Array>>;

/** Legs that need the index alone. */
export function indexLegs(question: Question, candidates: Candidates): LegValues {
  const { lists, groups, legs, request: { collection } } = question;
  const values: LegValues = {};
  if (legs.has("keyword")) {
    values.keyword = byReader(candidates, (reader, chunks) => collection.score(lists, reader, chunks).scores);
  }
  if (groups !== undefined) {
    values.translation = Float64Array.from(candidates.chunks, (chunk, i) => groups[candidates.readers[i]!]!.scores[chunk]!);
  }
  if (question.vector !== undefined && legs.has("vector")) {
    values.vector = vector(candidates, collection, question.vector);
  }
  return values;
}

/** Legs that need the words of the candidates. */
export function wordLegs(question: Question, candidates: Candidates): LegValues {
  const { legs, words, request: { collection, meaning } } = question;
  const values: LegValues = {};
  if (meaning === undefined) return values;
  const wanted = (...names: LegName[]) => names.some((name) => legs.has(name));
  if (!wanted("maxsim", "soft", "exact", "window", "sentence")) return values;
  const texts = wordsOf(candidates, collection, meaning);
  if (legs.has("sentence") && question.vector !== undefined) {
    values.sentence = sentence(texts, question.vector, meaning);
  }
  if (!wanted("maxsim", "soft", "exact", "window")) return values;
  const matches = matchWords(texts, words, meaning);
  if (legs.has("maxsim")) values.maxsim = maxsim(matches, words);
  if (legs.has("soft")) {
    const norms = byReader(candidates, (reader, chunks) => {
      const all = collection.readers[reader]!.norms(collection.averageTokens);
      return Float64Array.from(chunks, (chunk) => all[chunk]!);
    });
    values.soft = soft(matches, words, norms);
  }
  if (legs.has("exact")) values.exact = exact(matches, words);
  if (legs.has("window")) values.window = window(matches, words);
  return values;
}

/** The feedback leg; `terms`: those of an earlier answer to the same question. */
export function feedbackLeg(
  question: Question,
  candidates: Candidates,
  scores: Float64Array,
  terms?: readonly QueryTerm[],
): { values: LegValues; terms: readonly QueryTerm[] } {
  const { legs, request: { collection, meaning } } = question;
  if (meaning === undefined || !legs.has("feedback")) return { values: {}, terms: [] };
  const used = terms ?? feedbackTerms(candidates, scores, collection, meaning);
  return { values: { feedback: feedback(used, candidates, collection) }, terms: used };
}
