import { serverWords } from "../../remote/mod.ts";
import { RerankFailure } from "../reranker.ts";
import { type Judgement, scoresOf } from "../scores.ts";
import { BEST } from "./prompt.ts";

/** Reasoning models write their thoughts before the answer. Tags that are not closed leave no answer. */
const THOUGHTS = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;

/**
 * Returns the judgements in a model's answer for passages 1 to `count`, from 0 to 1. Models do not always keep to the form:
 * JSON may stand in a code block or after a sentence, be a list in the order of the passages or of `{id, score}`, be inside
 * another object, and have its numbers in quotation marks. Throws {@linkcode RerankFailure}: `bad_answer` without JSON,
 * `incomplete` and `not_numbers` unless each passage has one number from 0 to {@linkcode BEST}.
 */
export function judgementsIn(answer: string, count: number, url: string): Float64Array {
  const judgements = lastJson(answer.replace(THOUGHTS, ""), count);
  if (judgements === undefined) {
    throw new RerankFailure("bad_answer", { url, words: serverWords(answer, []) });
  }
  const scores = scoresOf(judgements, count, url);
  if (scores.some((score) => score < 0 || score > BEST)) throw new RerankFailure("not_numbers", { url });
  return scores.map((score) => score / BEST);
}

/** Returns the judgements in the last JSON value of a text, which contains no other brackets after it. */
function lastJson(text: string, count: number): readonly Judgement[] | undefined {
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  for (let start = end, tries = 0; start >= 0 && tries < MAX_TRIES; tries++) {
    // Inner values come first, so that a brace in a sentence before the answer does no harm.
    start = Math.max(text.lastIndexOf("{", start - 1), text.lastIndexOf("[", start - 1));
    if (start < 0 || end - start > MAX_JSON_CHARS) break;
    const judgements = judgementsOf(parsed(text.slice(start, end + 1)), count);
    if (judgements !== undefined) return judgements;
    if (start === 0) break;
  }
  return undefined;
}

/** UTF-16 units of the longest JSON that is tried, and the most brackets that it may begin with: one for each passage. */
const MAX_JSON_CHARS = 50_000;
const MAX_TRIES = 500;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the judgements in a value, in any of the forms; `undefined` for other values. */
function judgementsOf(value: unknown, count: number): readonly Judgement[] | undefined {
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== "object");
    // A short list may be a part of the answer, such as the numbers of the best passages.
    if (isPlain) return value.length === count ? value.map(judgement) : undefined;
    return value.map((item) => {
      const { id, passage, index, score, relevance, rating } = (item ?? {}) as Record<string, unknown>;
      return judgement(score ?? relevance ?? rating, Number(id ?? passage ?? index) - 1);
    });
  }
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value);
  const numbered = entries.filter(([name]) => /^(?:passage[ -]?)?\d{1,4}$/i.test(name));
  if (numbered.length > 0) {
    return numbered.map(([name, score]) => judgement(score, Number(name.replace(/\D/g, "")) - 1));
  }
  const lists = entries.flatMap(([, inner]) => {
    const found = typeof inner === "object" ? judgementsOf(inner, count) : undefined;
    return found === undefined ? [] : [found];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

function judgement(score: unknown, index: number): Judgement {
  const isText = typeof score === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(score);
  return { index, score: isText ? Number(score) : score };
}
