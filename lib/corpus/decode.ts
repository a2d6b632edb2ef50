import { UserError } from "../errors.ts";
import { isCommonChinese } from "./_common_hanzi.ts";
import { detectEncoding } from "./_detect_encoding.ts";
import { gbEvidence } from "./_gb18030.ts";
import { looksLikeUtf16 } from "./_utf16.ts";
import { isNearlyUtf8, utf8Health } from "./_utf8.ts";

/** Bytes made into text. */
export interface Decoded {
  /** Line ends as in the file, without a byte order mark. */
  readonly text: string;
  /** The encoding used, by its WHATWG name, lower case: `utf-8` (also for ASCII), `gb18030`, `big5` … */
  readonly encoding: string;
  /** Places that were broken and became U+FFFD. */
  readonly replaced: number;
}

/** Bytes whose soundness decides whether the whole is worth decoding as UTF-8. */
const HEAD = 65_536;

/** Broken places per character up to which a text counts as damaged rather than misread. */
const MAX_DAMAGE = 0.005;

/** In a larger file, a handful of letters beside ASCII is no evidence of anything. */
const TINY = 1_000;

/** From here on a text is long enough that the detector's doubt means something. */
const LONG = 100;

/**
 * Decodes the bytes of a text file. In this order: byte order mark; `forced`, if given (any WHATWG label);
 * UTF-16 without mark; UTF-8, also with a few broken places; GB18030 (so GBK and GB2312) where the outcome
 * reads like Chinese; Big5; then what a detector says. Throws `UserError` `unsupported_encoding`.
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
  // UTF-16LE with a NUL as its first character starts alike, but has no reason to be a multiple of four.
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
  // Faster than `fatal`: 100 MB of ASCII take 60 ms so, and 600 ms with it.
  const text = new TextDecoder().decode(bytes);
  if (!text.includes("\ufffd")) {
    return isChineseByChance(bytes, text) ? null : { text, encoding: "utf-8", replaced: 0 };
  }
  const health = utf8Health(bytes);
  return isNearlyUtf8(health) ? { text, encoding: "utf-8", replaced: health.broken } : null;
}

/**
 * A few GBK characters can be sound UTF-8 by chance: "系统" reads "ϵͳ". So when a handful of letters is all
 * there is beside ASCII, all of an unusual kind, and all common hanzi when read the other way, it is the
 * other way.
 */
function isChineseByChance(bytes: Uint8Array, text: string): boolean {
  if (bytes.length > TINY || countNonAscii(text, 8) >= 8) return false;
  const letters = text.match(/[^\p{ASCII}]/gu) ?? [];
  if (letters.length === 0 || letters.some((letter) => USUAL_TWO_BYTE_LETTER.test(letter))) return false;
  const { gb2312Share, commonShare } = gbEvidence(bytes);
  return gb2312Share === 1 && commonShare === 1;
}

/** Latin, Greek and Cyrillic as they are written, and all that takes more than two bytes. */
const USUAL_TWO_BYTE_LETTER = /[\u00a0-\u017f\u0386-\u03ce\u0400-\u045f\u0800-\u{10ffff}]/u;

function asChinese(bytes: Uint8Array): Decoded | null {
  const { characters, gb2312Share, commonShare } = gbEvidence(bytes);
  // Letters with accents before plain ones ("ég") are rare or traditional hanzi in GBK, outside of GB2312's
  // rows: then it takes more than a few to believe it.
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

/**
 * The detector's word, unless it is unsure and the bytes make a Western text, or one that could be Chinese.
 */
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

/** Single-byte tables differ in a few letters; on short texts the detector cannot tell them apart. */
function isWeakGuess({ encoding, confidence }: { encoding: string; confidence: number }): boolean {
  return confidence < 0.15 && encoding.startsWith("windows-");
}

/** Plain text with a few bytes of noise: nothing is known of those, and nothing is lost with them. */
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

/** Whether every U+FFFD in the text was in the file. */
function isSound(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** One broken place is forgiven at the very end, where files get cut; elsewhere only few among many. */
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

/** Whether all is in the letters and signs of Western European languages, and mostly plain letters. */
function isWestern(text: string): boolean {
  return !NOT_WESTERN.test(text) && countNonAscii(text) < 0.45 * text.length;
}

/**
 * Control characters of the second row (U+0080 to U+009F) or too many of the first: no text in this encoding.
 */
function hasControls(text: string): boolean {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 32 && (code < 8 || code > 13) && code !== 27) || (code >= 0x7f && code < 0xa0)) count++;
  }
  return count > text.length / 100;
}
