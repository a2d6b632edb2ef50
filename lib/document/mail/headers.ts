import { decodeCharset } from "./charset.ts";
import { bytesOf, qWords, transferred } from "./transfer.ts";

/** Undecoded header fields, one character per byte, by name in lower case. The first field of a name counts. */
export type Headers = ReadonlyMap<string, string>;

/** A field with parameters, such as `text/plain; charset=utf-8`. */
export interface Parameterised {
  /** In lower case. */
  readonly value: string;
  /** Decoded parameters, by name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const LONGEST_FIELD = 100_000;

/** Splits a message at its first empty line. */
export function splitHeaders(message: string): { headers: Headers; body: string } {
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
export async function parseParameters(field: string): Promise<Parameterised> {
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
    parameters.set(
      name,
      await joinPieces(list.sort((a, b) => a.index - b.index)),
    );
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
