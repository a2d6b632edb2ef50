import { DocumentError } from "../types.ts";
import type { XmlSource } from "./types.ts";

/** Bytes decoded at once. The decoded elements are consumed before the next step. */
const STEP = 262_144;

/** Yields the text of a source in parts. The encoding is that of the byte order mark, else the declared one, else UTF-8. */
export function* decoded(source: XmlSource): Generator<string, void, undefined> {
  if (typeof source === "string") {
    for (let at = 0; at < source.length; at += STEP) yield source.slice(at, at + STEP);
    return;
  }
  let decoder: TextDecoder | undefined;
  for (const piece of source instanceof Uint8Array ? [source] : source) {
    decoder ??= new TextDecoder(encodingOf(piece));
    for (let at = 0; at < piece.length; at += STEP) {
      yield decoder.decode(piece.subarray(at, at + STEP), { stream: true });
    }
  }
  if (decoder !== undefined) yield decoder.decode();
}

function encodingOf(head: Uint8Array): string {
  const [a, b, c] = head;
  if (a === 0xfe && b === 0xff || (a === 0 && b === 0x3c)) return "utf-16be";
  if (a === 0xff && b === 0xfe || (a === 0x3c && b === 0 && c !== 0)) return "utf-16le";
  const start = new TextDecoder("latin1").decode(head.subarray(0, 200));
  const declared = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)
    ?.[1];
  // A declaration that can be read as single bytes cannot be in UTF-16, even if it says so.
  if (declared === undefined || /^utf-?(?:8|16)|^ucs/i.test(declared)) return "utf-8";
  try {
    return new TextDecoder(declared).encoding;
  } catch (error) {
    throw new DocumentError("unsupported", `the encoding of the XML is unknown: ${declared}`, {
      cause: error,
    });
  }
}
