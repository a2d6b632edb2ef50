import type { Collection, QueryTerm } from "../../index/mod.ts";
import { byReader, type Candidates } from "./candidates.ts";
import { ChunkWords } from "./chunk_words.ts";
import { exact } from "./legs/exact.ts";
import { feedback, feedbackTerms } from "./legs/feedback.ts";
import { maxsim } from "./legs/maxsim.ts";
import { sentence } from "./legs/sentence.ts";
import { soft } from "./legs/soft.ts";
import { vector } from "./legs/vector.ts";
import { window } from "./legs/window.ts";
import type { Question } from "./question.ts";
import type { LegName } from "./types.ts";
import { matchWords } from "./word_matches.ts";

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
    values.translation = Float64Array.from(
      candidates.chunks,
      (chunk, i) => groups[candidates.readers[i]!]!.scores[chunk]!,
    );
  }
  if (question.vector !== undefined && legs.has("vector")) {
    values.vector = vector(candidates, question);
  }
  return values;
}

/** Legs that need the words of the candidates. MaxSim, if it is on, even where it counts nothing: it tells what a candidate covers. */
export function wordLegs(question: Question, candidates: Candidates): LegValues {
  const { legs, words, request: { collection, meaning, model } } = question;
  const values: LegValues = {};
  if (meaning === undefined) return values;
  const matching = legs.has("maxsim") || question.counts("soft") || question.counts("exact") ||
    question.counts("window");
  if (!matching && !question.counts("sentence")) return values;
  const stored = new ChunkWords(meaning, model);
  const texts = Array.from(
    candidates.chunks,
    (chunk, i) => stored.of(collection.readers[candidates.readers[i]!]!, chunk),
  );
  if (question.counts("sentence") && question.vector !== undefined) {
    values.sentence = sentence(texts, question.vector, words, meaning);
  }
  if (!matching) return values;
  const matches = matchWords(texts, words, meaning);
  if (legs.has("maxsim")) values.maxsim = maxsim(matches, words);
  if (question.counts("soft")) values.soft = soft(matches, words, normsOf(candidates, collection));
  if (question.counts("exact")) values.exact = exact(matches, words);
  if (question.counts("window")) values.window = window(matches, words);
  return values;
}

function normsOf(candidates: Candidates, collection: Collection): Float64Array {
  return byReader(candidates, (reader, chunks) => {
    const norms = collection.readers[reader]!.norms(collection.averageTokens);
    return Float64Array.from(chunks, (chunk) => norms[chunk]!);
  });
}

/** The feedback leg; `terms`: those of an earlier answer to the same question. */
export function feedbackLeg(
  question: Question,
  candidates: Candidates,
  scores: Float64Array,
  terms?: readonly QueryTerm[],
): { values: LegValues; terms: readonly QueryTerm[] } {
  const { collection, meaning } = question.request;
  if (meaning === undefined || !question.counts("feedback")) return { values: {}, terms: [] };
  const used = terms ?? feedbackTerms(candidates, scores, collection, meaning);
  return { values: { feedback: feedback(used, candidates, collection) }, terms: used };
}
