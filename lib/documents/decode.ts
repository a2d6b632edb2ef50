/**
 * Decodes the bytes of text formats: as the user says, as the page or mail declares, or by detection.
 * Declarations are often wrong, so the bytes are checked against them.
 */
import { looksBinary, typeByName } from "./classify.ts";
import { countNonAscii, countOf, decode, type Decoded, decoderOf, isSound } from "./encoding.ts";
import { byWord, DocumentError, LONGEST_TEXT } from "./types.ts";

/** Decodes a file's bytes. Throws {@linkcode DocumentError}: `not_text` (by content), `unsupported_encoding`, `too_large`. */
export async function bytesToText(
  bytes: Uint8Array,
  { path, encoding }: { readonly path: string; readonly encoding?: string | undefined },
): Promise<Decoded> {
  if (bytes.length > LONGEST_TEXT) throw new DocumentError("too_large", `it has ${bytes.length} bytes`);
  if (looksBinary(bytes, typeByName(path) === "text")) throw new DocumentError("not_text", "it is not text");
  return await decode(bytes, encoding);
}

/** Bytes that are searched for declarations. Browsers search 1,024, but saved pages begin with long comments. */
const DECLARATION_BYTES = 4_096;
const DECLARATIONS = [
  /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})/i,
  /<meta[^>]{0,200}?\scharset\s*=\s*["']?\s*([\w.:-]{1,40})/i,
  /<meta[^>]{0,300}?;\s*charset\s*=\s*([\w.:-]{1,40})/i,
];

/**
 * Returns the text of a page. The encoding comes from the byte order mark, or else from `forced`, or from the declaration in
 * the page unless its bytes contradict, or else it is detected. `likely`: the encoding of a page that declares none and is
 * not UTF-8. Throws {@linkcode DocumentError} `unsupported`.
 */
export async function decodeHtml(bytes: Uint8Array, forced?: string, likely?: string): Promise<string> {
  const marked = (bytes[0] === 0xef && bytes[1] === 0xbb) || (bytes[0]! >= 0xfe && bytes[1]! >= 0xfe);
  if (forced === undefined && !marked) {
    const text = asDeclared(bytes);
    if (text !== undefined) return text;
    if (likely !== undefined && !isSound(bytes, "utf-8") && isSound(bytes, likely)) {
      return decoderOf(likely)!.decode(bytes);
    }
  }
  try {
    return (await decode(bytes, forced)).text;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    // The file around the page may be of a binary format.
    throw new DocumentError("unsupported", "its encoding is not recognised", { cause: error });
  }
}

/** Decodes a page by its declaration. Returns `undefined` if there is none, or if the bytes contradict it. */
function asDeclared(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, DECLARATION_BYTES));
  const label = DECLARATIONS.map((pattern) => pattern.exec(head)?.[1]).find((found) => found !== undefined);
  if (label === undefined) return undefined;
  const decoder = decoderOf(label);
  // A declaration that was read as ASCII cannot be in UTF-16.
  if (decoder === undefined || decoder.encoding.startsWith("utf-16")) return undefined;
  // Editors and browsers save pages as UTF-8 without changing the declaration.
  if (decoder.encoding !== "utf-8" && isSound(bytes, "utf-8") && bytes.some((byte) => byte >= 0x80)) {
    return new TextDecoder().decode(bytes);
  }
  const text = decoder.decode(bytes);
  return countOf(text, "\ufffd") > 0.005 * countNonAscii(text) ? undefined : text;
}

/** Names of encodings in mail programs that differ from WHATWG's labels. */
const OTHER_NAMES: Readonly<Record<string, string>> = byWord({
  gb18030: "gb2312 gb_2312-80 gb2312-80 gbk x-gbk cp936 ms936 gb18030-2022",
  big5: "cp950 big5-tw",
  "shift_jis": "cp932",
  "euc-kr": "ks_c_5601 cp949",
  "utf-8": "utf8 utf-8mb4",
  "windows-1252": "cp1252 ansi",
});

/**
 * Decodes text by its declared encoding. The encoding is detected if none is declared, it is unknown, or the bytes
 * contradict it.
 */
export async function decodeCharset(bytes: Uint8Array, declared: string): Promise<string> {
  const label = declared.trim().toLowerCase().replace(/^["']|["']$/g, "");
  const shifted = SHIFTED[label.replace(/-ext$/, "")];
  if (shifted !== undefined) return unshift(bytes, shifted);
  // Programs write us-ascii if they do not know the encoding.
  const isPlain = label === "" || label === "us-ascii" || label === "ascii" || label.includes("unknown") ||
    label.includes("default");
  // Detecting an encoding takes as long as all else in a short message.
  if (isPlain && isAscii(bytes)) return ASCII.decode(bytes);
  const decoder = decoderOf(OTHER_NAMES[label] ?? label);
  if (decoder !== undefined && !isPlain) {
    const text = decoder.decode(bytes);
    if (countOf(text, "\ufffd") <= text.length / 100) return text;
  }
  try {
    return (await decode(bytes)).text;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return (decoder ?? new TextDecoder()).decode(bytes);
  }
}

const ASCII = new TextDecoder();

/** Whether bytes are ASCII without the controls and tildes that begin the other characters of a 7-bit encoding. */
function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) =>
    byte < 0x7e && (byte >= 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)
  );
}

/**
 * Seven-bit encodings that WHATWG does not support: the sequences that start and end Chinese or Korean, and the encoding of
 * these bytes with the eighth bit set.
 */
const SHIFTED: Readonly<Record<string, Readonly<Record<"start" | "end" | "encoding", string>>>> = {
  "hz-gb-2312": { start: "~{", end: "~}", encoding: "gb18030" },
  "iso-2022-cn": { start: "\x0e", end: "\x0f", encoding: "gb18030" },
  "iso-2022-kr": { start: "\x0e", end: "\x0f", encoding: "euc-kr" },
};

function unshift(bytes: Uint8Array, { start, end, encoding }: typeof SHIFTED[string]): string {
  const decoder = new TextDecoder(encoding);
  const isTilde = end === "~}";
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte & 0x7f)).join("");
  const pieces = text.split(start);
  return pieces.map((piece, i) => {
    if (i === 0) return plain(piece, isTilde);
    const close = piece.indexOf(end);
    const inner = close < 0 ? piece : piece.slice(0, close);
    const wide = Uint8Array.from(
      inner,
      (char) => char < "!" ? char.charCodeAt(0) : char.charCodeAt(0) | 0x80,
    );
    return decoder.decode(wide) + (close < 0 ? "" : plain(piece.slice(close + end.length), isTilde));
  }).join("");
}

/** Returns the text outside of encoded parts, without escapes that select a character set. */
function plain(piece: string, isTilde: boolean): string {
  return isTilde
    ? piece.replace(/~\r?\n/g, "").replaceAll("~~", "~")
    // deno-lint-ignore no-control-regex
    : piece.replace(/\x1b\$[)*+][A-Z]/g, "");
}
