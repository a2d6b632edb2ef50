import { DocumentError } from "../types.ts";
import { decodeCharset } from "./charset.ts";
import { type Headers, parseParameters, splitHeaders } from "./headers.ts";
import { transferred } from "./transfer.ts";

/** A part of a message, or the message itself. */
export interface Part {
  readonly headers: Headers;
  /** Media type, `text/plain` by default. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly isAttachment: boolean;
  /** Decoded file name. */
  readonly filename: string;
  /** Undecoded body, one character per byte. Empty for a part that contains parts. */
  readonly body: string;
  readonly parts: readonly Part[];
}

/** Deepest nesting of parts. Programs produce at most five levels. */
const DEEPEST = 20;
const MOST_PARTS = 10_000;

/** Parses a message. Rejects with {@linkcode DocumentError} `too_complex` beyond 10,000 parts or 20 levels. */
export function parseMessage(message: string): Promise<Part> {
  let count = 0;
  const parse = async (source: string, depth: number): Promise<Part> => {
    if (++count > MOST_PARTS || depth > DEEPEST) {
      throw new DocumentError("too_complex", "the message has too many parts");
    }
    const { headers, body } = splitHeaders(source);
    const content = await parseParameters(headers.get("content-type") ?? "text/plain");
    const disposition = await parseParameters(headers.get("content-disposition") ?? "");
    const { parameters } = content;
    const boundary = content.value.startsWith("multipart/") ? parameters.get("boundary") : undefined;
    const parts: Part[] = [];
    if (boundary !== undefined && boundary !== "") {
      for (const inner of splitParts(body, boundary)) parts.push(await parse(inner, depth + 1));
    } else if (content.value === "message/rfc822") {
      parts.push(await parse(body, depth + 1));
    }
    return {
      headers,
      type: content.value === "" ? "text/plain" : content.value,
      parameters,
      isAttachment: disposition.value === "attachment",
      filename: disposition.parameters.get("filename") ?? parameters.get("name") ?? "",
      body: parts.length > 0 ? "" : body,
      parts,
    };
  };
  return parse(message, 0);
}

/** Returns the bytes of a part that contains no parts. */
export function bodyOf(part: Part): Uint8Array {
  return transferred(part.body, part.headers.get("content-transfer-encoding") ?? "");
}

/** Returns the text of a part of type `text/…`. */
export function textOf(part: Part): Promise<string> {
  return decodeCharset(bodyOf(part), part.parameters.get("charset") ?? "");
}

/** Yields the parts between the `--boundary` lines. The last part ends with the body if its closing line is missing. */
function* splitParts(body: string, boundary: string): Generator<string, void, undefined> {
  const mark = `--${boundary}`;
  let start = -1;
  for (
    let at = body.startsWith(mark) ? 0 : next(body, mark, 0);
    at >= 0;
    at = next(body, mark, at + mark.length)
  ) {
    const after = body.slice(at + mark.length, at + mark.length + 2);
    // A longer boundary with the same beginning belongs to a nested part.
    if (after !== "" && !/^(?:--|[\r\n \t])/.test(after)) continue;
    if (start >= 0) yield body.slice(start, at).replace(/\r?\n$/, "");
    if (after === "--") return;
    const line = body.indexOf("\n", at);
    if (line < 0) return;
    start = line + 1;
  }
  if (start >= 0) yield body.slice(start);
}

function next(body: string, mark: string, from: number): number {
  const at = body.indexOf(`\n${mark}`, Math.max(0, from - 1));
  return at < 0 ? -1 : at + 1;
}
