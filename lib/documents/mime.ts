/**
 * Parses MIME: the parts of a message, header fields and their encoded words.
 * Below it: the transfer encodings of bodies.
 */
import { bytesOf } from "./bytes.ts";
import { DocumentError } from "./types.ts";
import { decodeCharset } from "./decode.ts";
import type { PictureSource } from "./pictures/types.ts";

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

/** Returns a function that finds pictures among the parts of a message, by `cid:` or by the address that they were saved from. */
export function pictureIn(message: Part): (address: string) => PictureSource {
  const parts = new Map<string, Part>();
  const visit = (part: Part) => {
    const id = part.headers.get("content-id")?.replace(/^<|>$/g, "");
    const location = part.headers.get("content-location")?.trim();
    if (id !== undefined) parts.set(`cid:${id}`, part);
    if (location !== undefined) parts.set(location, part);
    part.parts.forEach(visit);
  };
  visit(message);
  return (address) => {
    const part = parts.get(address);
    return part === undefined ? { link: address } : { bytes: () => bodyOf(part) };
  };
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

/** Undecoded header fields, one character per byte, by name in lower case. The first field of a name counts. */
export type Headers = ReadonlyMap<string, string>;

/** A field with parameters, such as `text/plain; charset=utf-8`. */
interface Parameterised {
  /** In lower case. */
  readonly value: string;
  /** Decoded parameters, by name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const LONGEST_FIELD = 100_000;

/** Splits a message at its first empty line. */
function splitHeaders(message: string): { headers: Headers; body: string } {
  const end = /\r?\n\r?\n|\r\r/.exec(message);
  const isBodyOnly = /^\r?\n/.test(message);
  const head = isBodyOnly ? "" : message.slice(0, end?.index ?? message.length);
  const body = isBodyOnly ? message : end === null ? "" : message.slice(end.index + end[0].length);
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n(?=[ \t])/g, "").split(/\r?\n|\r/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (/^[!-9;-~]+$/.test(name) && !headers.has(name)) {
      headers.set(name, line.slice(colon + 1, LONGEST_FIELD).trim());
    }
  }
  return { headers, body };
}

/** Returns the text of a field. RFC 2047 words are decoded, and the encoding of bytes beyond ASCII is detected. */
export async function decodeField(field: string): Promise<string> {
  const pieces: string[] = [];
  // A character may be split between two words of one encoding, so their bytes are joined before decoding.
  let open: { charset: string; bytes: number[] } | undefined;
  const close = async () => {
    if (open !== undefined) pieces.push(await decodeCharset(Uint8Array.from(open.bytes), open.charset));
    open = undefined;
  };
  let at = 0;
  for (
    const match of field.matchAll(/=\?([\w.:+-]{1,60})(?:\*[\w-]{1,20})?\?([BbQq])\?([^?\s]*(?: [^?]*)?)\?=/g)
  ) {
    const between = field.slice(at, match.index);
    at = match.index + match[0].length;
    const [, charset, kind, text] = match;
    const bytes = kind!.toUpperCase() === "B" ? transferred(text!, "base64") : qWords(text!);
    if (between.trim() !== "" || open === undefined || open.charset !== charset!.toLowerCase()) {
      await close();
      if (between.trim() !== "") pieces.push(await rawText(between));
      open = { charset: charset!.toLowerCase(), bytes: [] };
    }
    for (const byte of bytes) open.bytes.push(byte);
  }
  await close();
  pieces.push(await rawText(field.slice(at)));
  return pieces.join("").replace(/[\s\0]+/g, " ").trim();
}

/** Parses a field with parameters, including those of RFC 2231: `filename*0*=utf-8''%E4`. */
async function parseParameters(field: string): Promise<Parameterised> {
  const parts = field.match(/(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
  const pieces = new Map<string, { index: number; encoded: boolean; text: string }[]>();
  for (const part of parts.slice(1, 200)) {
    const match = /^\s*([^=\s*]+)(?:\*(\d{1,3}))?(\*)?\s*=\s*(.*?)\s*$/s.exec(part);
    if (match === null) continue;
    const [, name, index, star, raw] = match;
    const text = raw!.startsWith('"') ? raw!.replace(/^"|"$/g, "").replace(/\\(.)/gs, "$1") : raw!;
    const key = name!.toLowerCase();
    pieces.set(key, [...(pieces.get(key) ?? []), {
      index: Number(index ?? 0),
      encoded: star !== undefined,
      text,
    }]);
  }
  const parameters = new Map<string, string>();
  for (const [name, list] of pieces) {
    parameters.set(name, await joinPieces(list.sort((a, b) => a.index - b.index)));
  }
  return { value: (parts[0] ?? "").trim().toLowerCase(), parameters };
}

async function joinPieces(list: readonly { encoded: boolean; text: string }[]): Promise<string> {
  if (!list.some(({ encoded }) => encoded)) return await decodeField(list.map(({ text }) => text).join(""));
  const charset = /^([^']*)'[^']*'/.exec(list[0]!.text);
  const raw = list.map(({ encoded, text }, i) => {
    const own = i === 0 && charset !== null ? text.slice(charset[0].length) : text;
    return encoded
      ? own.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : own;
  }).join("");
  return await decodeCharset(bytesOf(raw), charset?.[1] ?? "");
}

async function rawText(text: string): Promise<string> {
  return /[\x80-\xff]/.test(text) ? await decodeCharset(bytesOf(text), "") : text;
}

/** Decodes a body, which has one character per byte, by its `Content-Transfer-Encoding`. */
function transferred(body: string, encoding: string): Uint8Array {
  switch (encoding.trim().toLowerCase()) {
    case "base64":
      return base64(body);
    case "quoted-printable":
      return bytesOf(quotedPrintable(body));
    default:
      return bytesOf(body);
  }
}

/** Decodes Base64. Other characters are skipped, and text after padding is decoded too. */
function base64(text: string): Uint8Array {
  const pieces = text.replace(/[^A-Za-z0-9+/=]/g, "").split(/=+/).map((piece) =>
    piece.length % 4 === 1 ? piece.slice(0, -1) : piece
  );
  return bytesOf(pieces.map((piece) => atob(piece)).join(""));
}

function quotedPrintable(text: string): string {
  return text.replace(/=[ \t]*\r?\n/g, "")
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Decodes the Q encoding of RFC 2047. */
function qWords(text: string): Uint8Array {
  return bytesOf(quotedPrintable(text.replaceAll("_", "=20")));
}
