import { decode } from "../../corpus/mod.ts";
import { UserError } from "../../errors.ts";

/** Names of encodings in mail programs that differ from WHATWG's labels. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "gb2312": "gb18030",
  "gb_2312-80": "gb18030",
  "gb2312-80": "gb18030",
  "gbk": "gb18030",
  "x-gbk": "gb18030",
  "cp936": "gb18030",
  "ms936": "gb18030",
  "gb18030-2022": "gb18030",
  "cp950": "big5",
  "big5-tw": "big5",
  "cp932": "shift_jis",
  "ks_c_5601": "euc-kr",
  "cp949": "euc-kr",
  "utf8": "utf-8",
  "utf-8mb4": "utf-8",
  "cp1252": "windows-1252",
  "ansi": "windows-1252",
};

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
    if (count(text, "\ufffd") <= text.length / 100) return text;
  }
  try {
    return (await decode(bytes)).text;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
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

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * A seven-bit encoding that WHATWG does not support: the sequences that start and end Chinese or Korean, and the encoding of
 * these bytes with the eighth bit set.
 */
interface Shifted {
  readonly start: string;
  readonly end: string;
  readonly encoding: string;
}

const SHIFTED: Readonly<Record<string, Shifted>> = {
  "hz-gb-2312": { start: "~{", end: "~}", encoding: "gb18030" },
  "iso-2022-cn": { start: "\x0e", end: "\x0f", encoding: "gb18030" },
  "iso-2022-kr": { start: "\x0e", end: "\x0f", encoding: "euc-kr" },
};

function unshift(bytes: Uint8Array, { start, end, encoding }: Shifted): string {
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

function count(text: string, char: string): number {
  let found = 0;
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) found++;
  return found;
}
