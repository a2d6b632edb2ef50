import { decode } from "../../corpus/mod.ts";
import { UserError } from "../../errors.ts";
import { DocumentError } from "../types.ts";

/** Bytes that are searched for declarations. Browsers search 1,024, but saved pages begin with long comments. */
const HEAD = 4_096;
const DECLARED = [
  /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})/i,
  /<meta[^>]{0,200}?\scharset\s*=\s*["']?\s*([\w.:-]{1,40})/i,
  /<meta[^>]{0,300}?;\s*charset\s*=\s*([\w.:-]{1,40})/i,
];

/**
 * Returns the text of a page. The encoding comes from the byte order mark, or else from `forced`, or from the declaration in
 * the page unless its bytes contradict, or else it is detected. Throws {@linkcode DocumentError} `unsupported`.
 */
export async function decodeHtml(bytes: Uint8Array, forced?: string): Promise<string> {
  const marked = (bytes[0] === 0xef && bytes[1] === 0xbb) || (bytes[0]! >= 0xfe && bytes[1]! >= 0xfe);
  if (forced === undefined && !marked) {
    const text = asDeclared(bytes);
    if (text !== undefined) return text;
  }
  try {
    return (await decode(bytes, forced)).text;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new DocumentError("unsupported", "its encoding is not recognised", { cause: error });
  }
}

/** Decodes a page by its declaration. Returns `undefined` if there is none, or if the bytes contradict it. */
function asDeclared(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD));
  const label = DECLARED.map((pattern) => pattern.exec(head)?.[1]).find((found) => found !== undefined);
  if (label === undefined) return undefined;
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label);
  } catch {
    return undefined;
  }
  // A declaration that was read as ASCII cannot be in UTF-16.
  if (decoder.encoding.startsWith("utf-16")) return undefined;
  // Editors and browsers save pages as UTF-8 without changing the declaration.
  if (decoder.encoding !== "utf-8" && isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const text = decoder.decode(bytes);
  return brokenShare(text) > 0.005 ? undefined : text;
}

/** Returns whether the bytes are valid UTF-8 with characters beyond ASCII. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).length < bytes.length;
  } catch {
    return false;
  }
}

/** Returns the share of U+FFFD in the characters beyond ASCII. */
function brokenShare(text: string): number {
  let at = text.indexOf("\ufffd");
  if (at < 0) return 0;
  let broken = 0;
  for (; at >= 0; at = text.indexOf("\ufffd", at + 1)) broken++;
  let all = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) all++;
  return broken / all;
}
