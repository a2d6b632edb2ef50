/**
 * Faults of the servers: in the transport, in the errors, in the answer of the model.
 */
import { type Answer, type Asked, beginningOf, countTokens } from "./asked.ts";

/** An answer of a test's own; an object is sent as JSON. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** Errors in the form of the protocol. */
export const ERRORS = {
  "401": "unauthorized",
  "404 model": "unknown model",
  "429": "rate limited",
  "429 Retry-After": "rate limited",
  "quota": "quota",
  "500": "server error",
  "503": "overloaded",
} as const;

/** Answers that are no answers. */
export const TRANSPORT = [
  /** Takes the request and sends nothing. */
  "hang",
  /** Sends the headers and half of the body, then nothing. */
  "hang in the body",
  /** Closes the connection. */
  "cut",
  "cut in the body",
  /** Sends one byte at a time, {@linkcode LanguageServer.slowMs} apart. */
  "slow",
  "HTML",
  "empty body",
  /** A complete answer of HTTP with half of the JSON; in a stream, the last event is cut. */
  "cut JSON",
  "100 MB",
  "redirect",
  /** The text of the answer has bytes that are not UTF-8. */
  "invalid UTF-8",
] as const;

/** Correct answers of the protocol in which the model did not do as it was asked. */
export const MODEL = [
  "wrong schema",
  /** The model's JSON ends in the middle, although it says that it is complete. */
  "half an object",
  "prose",
  "empty text",
  "fences",
  "thoughts",
  "single quotes",
  "refusal",
  "content filter",
  /** The answer ends at half of its length because of the limit of tokens. */
  "length",
  /** The prompt is cut at {@linkcode SILENT_CUT} tokens, and nobody says so. */
  "silent cut",
  "no usage",
  "zero usage",
  "huge usage",
  /** Half of the answer, then an error; without a stream an error of status 500. */
  "breakdown",
] as const;

export type Fault = OwnAnswer | keyof typeof ERRORS | typeof TRANSPORT[number] | typeof MODEL[number];

/** Tokens that are left of a prompt. */
export const SILENT_CUT = 4096;

/** The answer of a model that refuses. */
export const REFUSAL = "I'm sorry, but I can't help with that.";

/** Returns the answer of the model with a fault. */
export function answerWith(asked: Asked, text: string, fault: Fault | undefined): Answer {
  const said = textWith(text, fault);
  const isCut = asked.maxTokens !== undefined && countTokens(said) > asked.maxTokens;
  const kept = isCut ? beginningOf(said, asked.maxTokens) : said;
  return {
    text: kept,
    finish: fault === "refusal" || fault === "content filter"
      ? fault
      : isCut || fault === "length"
      ? "length"
      : "stop",
    usage: usageWith(asked, countTokens(kept), fault),
    breaksDown: fault === "breakdown",
  };
}

function textWith(text: string, fault: Fault | undefined): string {
  switch (fault) {
    case "wrong schema":
      return '{"something": "else"}';
    case "half an object":
    case "length":
      return text.slice(0, text.length / 2);
    case "prose":
      return "Here is what I found in the text.";
    case "empty text":
    case "content filter":
      return "";
    case "fences":
      return `Here it is:\n\n\`\`\`json\n${text}\n\`\`\`\n\nI hope this helps.`;
    case "thoughts":
      return `<think>\nPerhaps {"a": 1}? No.\n</think>\n\n${text}`;
    case "single quotes":
      return text.replaceAll('"', "'");
    case "refusal":
      return REFUSAL;
    case "100 MB":
      return FILLING;
    case "invalid UTF-8":
      return `${NOT_UTF8}${text}`;
    default:
      return text;
  }
}

/** Stands for 100 MB of letters and for three bytes that are not UTF-8, until the bytes are sent. */
export const FILLING = "~filled~";
export const NOT_UTF8 = "~bytes~~";

function usageWith(asked: Asked, output: number, fault: Fault | undefined): Answer["usage"] {
  switch (fault) {
    case "no usage":
      return null;
    case "zero usage":
      return { input: 0, output: 0 };
    case "huge usage":
      return { input: 1e15, output: 1e15 };
    default:
      return { input: asked.inputTokens, output };
  }
}
