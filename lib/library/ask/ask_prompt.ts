/** The request to the model: the passages that fit its window, between tags that no document can know, and the question. */
import { basename } from "node:path";
import { type FilledPrompt, filledPrompt, type Prompt } from "#models/language/mod.ts";
import type { Hit } from "#library/search/mod.ts";
import { estimatedTokens, lengthWithin } from "#library/answer/mod.ts";

/** A question that was asked before, and its answer. */
export interface EarlierTurn {
  readonly question: string;
  readonly answer?: string | undefined;
}

/** The last turns of a conversation that are sent, and the estimated tokens of a question and of an answer among them. */
const TURNS = 4, TURN_QUESTION = 150, TURN_ANSWER = 250;
/** Tokenizers of other models make more tokens of a text than the estimate. */
const MARGIN = 1.2;
/** Estimated tokens of a passage at least that is cut to fit; of the first in any window. */
const LEAST = 100;
/** Tokens of the tags and the first line of a passage. */
const AROUND = 40;

interface Fitting {
  /** Tokens of the request. */
  readonly window: number;
  readonly question: string;
  readonly history: readonly EarlierTurn[];
  readonly prompt: Prompt;
}

/** Returns the best hits that fit a window, at least one. The last one may be cut. */
export function fittedHits(hits: readonly Hit[], { window, question, history, prompt }: Fitting): Hit[] {
  const around = requestOf({ hits: [], question, history, prompt });
  let left = window / MARGIN - estimatedTokens(around.instructions) - estimatedTokens(around.prompt);
  const fitted: Hit[] = [];
  for (const hit of hits) {
    const tokens = estimatedTokens(hit.content);
    left -= AROUND;
    if (tokens <= left) {
      fitted.push(hit);
      left -= tokens;
      continue;
    }
    const room = Math.max(left, fitted.length === 0 ? LEAST : 0);
    if (room >= LEAST) {
      const content = hit.content.slice(0, lengthWithin(hit.content, room)).toWellFormed();
      fitted.push({ ...hit, content, truncated: true });
    }
    break;
  }
  return fitted;
}

interface Request extends Omit<Fitting, "window"> {
  readonly hits: readonly Hit[];
}

/** Returns the messages of a request. Paths of folders are not sent. */
export function requestOf({ hits, question, history, prompt }: Request): FilledPrompt {
  const code = crypto.getRandomValues(new Uint8Array(6)).toHex();
  const passages = hits.map(({ filePath, section, content }, i) => {
    const tag = `passage-${i + 1}-${code}`;
    return `[${i + 1}]\n<${tag}>\n${[basename(filePath), ...section].join(" > ")}\n${content}\n</${tag}>`;
  });
  const values = { passages: passages.join("\n"), history: historyText(history), question };
  return filledPrompt(prompt, "", values, code);
}

function historyText(history: readonly EarlierTurn[]): string {
  const cut = (text: string, tokens: number) => text.slice(0, lengthWithin(text, tokens)).toWellFormed();
  return history.slice(-TURNS).map(({ question, answer }) =>
    [`Q: ${cut(question, TURN_QUESTION)}`, ...(answer ? [`A: ${cut(answer, TURN_ANSWER)}`] : [])].join("\n")
  ).join("\n");
}
