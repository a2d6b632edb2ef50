import { UserError } from "../errors.ts";
import { isCommonChinese } from "./_common_hanzi.ts";
import { detectEncoding } from "./_detect_encoding.ts";
import { gbEvidence } from "./_gb18030.ts";
import { looksLikeUtf16 } from "./_utf16.ts";
import { isNearlyUtf8, utf8Health } from "./_utf8.ts";

/** Decoded text. */
export interface Decoded {
  /** The text with the line ends of the file, without a byte order mark. */
  readonly text: string;
  /** The encoding used, by its WHATWG name, lower case: `utf-8` (also for ASCII), `gb18030`, `big5` … */
  readonly encoding: string;
  /** Number of invalid byte sequences, each replaced by U+FFFD. */
  readonly replaced: number;
}

/** Bytes at the start that are checked for UTF-8 before the whole text is decoded. */
const HEAD = 65_536;

/** Largest number of invalid sequences per non-ASCII character in the right encoding. */
const MAX_DAMAGE = 0.005;

/** Bytes. In a larger file a few non-ASCII letters are not evidence of an encoding. */
const TINY = 1_000;

/** Non-ASCII characters from which on the detector's low confidence is taken seriously. */
const LONG = 100;

/**
 * Decodes the bytes of a text file. It tries, in this order: the byte order mark; `forced`, if given (any WHATWG label);
 * UTF-16 without a mark; UTF-8, with a few invalid sequences allowed; GB18030 (which includes GBK and GB2312) if the result
 * looks like Chinese; Big5, likewise; the detector's guess. Throws `UserError` `unsupported_encoding`.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { decode } from "./decode.ts";
 *
 * const bytes = Uint8Array.fromHex("cfb5cdb3d6d0b5c4cec4bcfe"); // GBK
 * const { text, encoding } = await decode(bytes);
 * equal(text, "系统中的文件");
 * equal(encoding, "gb18030");
 * ```
 */
export async function decode(bytes: Uint8Array, forced?: string): Promise<Decoded> {
  const marked = byMark(bytes);
  if (marked !== null) return marked;
  if (forced !== undefined) return byForce(bytes, forced);
  const found = asUtf16(bytes) ?? asUtf8(bytes) ?? asChinese(bytes) ?? await byDetector(bytes) ??
    asAscii(bytes);
  if (found === null) throw new UserError("unsupported_encoding");
  return found;
}

function byMark(bytes: Uint8Array): Decoded | null {
  const starts = (...mark: number[]) => mark.every((byte, i) => bytes[i] === byte);
  if (starts(0xef, 0xbb, 0xbf)) return lenient(bytes, "utf-8");
  // UTF-16LE with a NUL as its first character begins the same, but its length is rarely a multiple of four.
  const isUtf32 = starts(0, 0, 0xfe, 0xff) || (starts(0xff, 0xfe, 0, 0) && bytes.length % 4 === 0);
  if (isUtf32) throw new UserError("unsupported_encoding", { encoding: "utf-32" });
  if (starts(0xff, 0xfe)) return lenient(bytes, "utf-16le");
  if (starts(0xfe, 0xff)) return lenient(bytes, "utf-16be");
  if (starts(0x84, 0x31, 0x95, 0x33)) return lenient(bytes.subarray(4), "gb18030");
  return null;
}

function byForce(bytes: Uint8Array, label: string): Decoded {
  let encoding: string;
  try {
    encoding = new TextDecoder(label).encoding;
  } catch (error) {
    throw new UserError("unsupported_encoding", { encoding: label }, { cause: error });
  }
  const decoded = lenient(bytes, encoding);
  if (!isDamageSmall(decoded)) throw new UserError("unsupported_encoding", { encoding });
  return decoded;
}

function asUtf16(bytes: Uint8Array): Decoded | null {
  const encoding = looksLikeUtf16(bytes);
  return encoding === null ? null : lenient(bytes, encoding);
}

function asUtf8(bytes: Uint8Array): Decoded | null {
  if (!isNearlyUtf8(utf8Health(bytes.subarray(0, HEAD)))) return null;
  // Without `fatal`, because 100 MB of ASCII take 60 ms instead of 600 ms.
  const text = new TextDecoder().decode(bytes);
  if (!text.includes("\ufffd")) {
    return isChineseByChance(bytes, text) ? null : { text, encoding: "utf-8", replaced: 0 };
  }
  const health = utf8Health(bytes);
  return isNearlyUtf8(health) ? { text, encoding: "utf-8", replaced: health.broken } : null;
}

/**
 * Whether a valid UTF-8 text is more likely GBK. A few GBK characters can be valid UTF-8 by chance: the bytes of "系统" are
 * also "ϵͳ". So a small text is GBK if its few non-ASCII letters are all unusual in UTF-8 and all common hanzi in GBK.
 */
function isChineseByChance(bytes: Uint8Array, text: string): boolean {
  if (bytes.length > TINY || countNonAscii(text, 8) >= 8) return false;
  const letters = text.match(/[^\p{ASCII}]/gu) ?? [];
  if (letters.length === 0 || letters.some((letter) => USUAL_TWO_BYTE_LETTER.test(letter))) return false;
  const { gb2312Share, commonShare } = gbEvidence(bytes);
  return gb2312Share === 1 && commonShare === 1;
}

/** Usual letters of Latin, Greek and Cyrillic, and every character of more than two bytes. */
const USUAL_TWO_BYTE_LETTER = /[\u00a0-\u017f\u0386-\u03ce\u0400-\u045f\u0800-\u{10ffff}]/u;

function asChinese(bytes: Uint8Array): Decoded | null {
  const { characters, gb2312Share, commonShare } = gbEvidence(bytes);
  // An accented letter before a plain one ("ég") is a rare or traditional hanzi in GBK, outside GB2312. Then more
  // characters are needed as evidence.
  const isGb = commonShare >= 0.6 && (gb2312Share >= 0.9 || characters >= 8);
  if (isGb) {
    const decoded = lenient(bytes, "gb18030");
    if (isDamageSmall(decoded)) return decoded;
  }
  const big5 = lenient(bytes.subarray(0, HEAD), "big5");
  if (isDamageSmall(big5) && commonChineseShare(big5.text) >= 0.6) {
    const whole = lenient(bytes, "big5");
    if (isDamageSmall(whole)) return whole;
  }
  return null;
}

/** Decodes by the detector's guess. With low confidence, a Western or Chinese text is preferred where the bytes allow it. */
async function byDetector(bytes: Uint8Array): Promise<Decoded | null> {
  const detection = await detectEncoding(bytes);
  const western = lenient(bytes, "windows-1252");
  if (isWestern(western.text) && (detection === null || isWeakGuess(detection))) return western;
  if (detection === null) return null;
  if (detection.confidence < 0.3) {
    const { gb2312Share, commonShare } = gbEvidence(bytes);
    const chinese = gb2312Share >= 0.9 && commonShare >= 0.35 ? lenient(bytes, "gb18030") : null;
    if (chinese !== null && isDamageSmall(chinese)) return chinese;
  }

  const decoded = lenient(bytes, detection.encoding);
  const isLong = countNonAscii(decoded.text, LONG) === LONG;
  if (isLong && detection.confidence < 0.1) return null;
  return isDamageSmall(decoded) && !hasControls(decoded.text) ? decoded : null;
}

/** Single-byte encodings differ in a few letters, so the detector cannot tell them apart in short texts. */
function isWeakGuess({ encoding, confidence }: { encoding: string; confidence: number }): boolean {
  return confidence < 0.15 && encoding.startsWith("windows-");
}

/** ASCII text with a few other bytes, which are replaced by U+FFFD. */
function asAscii(bytes: Uint8Array): Decoded | null {
  let strange = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! >= 0x80) strange++;
  return strange <= bytes.length / 1000 ? lenient(bytes, "utf-8") : null;
}

function lenient(bytes: Uint8Array, encoding: string): Decoded {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, encoding, replaced: countReplaced(bytes, encoding, text) };
}

function countReplaced(bytes: Uint8Array, encoding: string, text: string): number {
  let at = text.indexOf("\ufffd");
  if (at < 0 || isSound(bytes, encoding)) return 0;
  let count = 0;
  for (; at >= 0; at = text.indexOf("\ufffd", at + 1)) count++;
  return count;
}

/** Whether the bytes are valid, so that every U+FFFD in the text was in the file. */
function isSound(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Whether there are few invalid sequences. One at the end is allowed in any text, because files get truncated. */
function isDamageSmall({ text, replaced }: Decoded): boolean {
  if (replaced === 0) return true;
  const end = text.indexOf("\ufffd") >= text.length - 2;
  return (replaced === 1 && end && text.length > 3) || replaced <= countNonAscii(text) * MAX_DAMAGE;
}

function countNonAscii(text: string, atMost = Infinity): number {
  let count = 0;
  for (let i = 0; i < text.length && count < atMost; i++) if (text.charCodeAt(i) >= 0x80) count++;
  return count;
}

function commonChineseShare(text: string): number {
  let all = 0;
  let common = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (code < 0x80) continue;
    all++;
    if (isCommonChinese(code)) common++;
  }
  return all === 0 ? 0 : common / all;
}

const NOT_WESTERN =
  /[^\p{ASCII}àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒ«»‹›“”‘’„–—•…€£§°©®¿¡·×\u00a0]/u;

/** Whether the text has only characters of Western European languages, and mostly ASCII. */
function isWestern(text: string): boolean {
  return !NOT_WESTERN.test(text) && countNonAscii(text) < 0.45 * text.length;
}

/** Whether the text has too many control characters (U+0080 to U+009F included) to be in this encoding. */
function hasControls(text: string): boolean {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 32 && (code < 8 || code > 13) && code !== 27) || (code >= 0x7f && code < 0xa0)) count++;
  }
  return count > text.length / 100;
}
