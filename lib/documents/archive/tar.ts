/** The entries of a tar archive: those of POSIX (ustar, pax), of GNU and of old programs. */
import { DocumentError } from "../types.ts";
import { cutOff, type RawEntry, type UnpackBudget } from "./budget.ts";

const BLOCK = 512;
const utf8 = new TextDecoder();

/** Whether the bytes begin with the header of an entry. */
export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK && bytes[0] !== 0 && isHeader(bytes.subarray(0, BLOCK));
}

/**
 * Yields the entries of a tar archive. Links, devices and folders are left out. Throws {@linkcode DocumentError} `damaged` after the
 * last entry before the place where the archive is cut off or broken.
 */
export function* tarEntries(bytes: Uint8Array, budget: UnpackBudget): Generator<RawEntry> {
  let common: Attributes = {};
  let own: Attributes = {};
  for (let at = 0; at < bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return;
    if (header.length < BLOCK || !isHeader(header)) throw cutOff();
    const kind = String.fromCharCode(header[156]!);
    const attributes = { ...common, ...own };
    const isSpecial = "xgLK".includes(kind);
    const size = !isSpecial && attributes.size !== undefined ? attributes.size : numberIn(header, 124, 12);
    let start = at + BLOCK;
    // The map of a file with holes may continue in blocks before its content.
    if (kind === "S" && header[482] === 1) {
      while (bytes[(start += BLOCK) - BLOCK + 504] === 1) {
        /* the next one */
      }
    }
    const content = bytes.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    budget.countEntry();
    if (isSpecial) {
      if (content.length < size) throw cutOff();
      if (kind === "g") common = { ...common, ...paxAttributes(content) };
      else if (kind === "x") own = { ...own, ...paxAttributes(content) };
      else if (kind === "L") own = { ...own, name: untilZero(content) };
      continue;
    }
    own = {};
    // Ordinary and contiguous files are read. Old programs mark a folder only by a slash at the end of its name.
    const name = attributes.realName ?? attributes.name ?? nameIn(header);
    if (kind === "S" || attributes.hasHoles) {
      yield { name, size, problem: new DocumentError("unsupported", "it is stored with holes") };
      continue;
    }
    if (!"\x0007".includes(kind) || name.at(-1) === SLASH) continue;
    const mtimeMs = attributes.mtimeMs ?? numberIn(header, 136, 12) * 1000;
    const isCut = content.length < size;
    yield { name, size, mtimeMs, ...(isCut ? { problem: cutOff() } : {}), read: () => content };
    if (isCut) throw cutOff();
  }
}

const SLASH = "/".charCodeAt(0);

/** Facts about an entry in a header before it. */
interface Attributes {
  readonly name?: Uint8Array;
  readonly size?: number;
  readonly mtimeMs?: number;
  /** GNU programs store files with holes as others, with a map of their parts. */
  readonly hasHoles?: boolean;
  readonly realName?: Uint8Array;
}

/** The sum of a header's bytes is in it, where eight blanks are counted instead. Some programs add signed bytes. */
function isHeader(header: Uint8Array): boolean {
  const wanted = numberIn(header, 148, 8);
  let [sum, signed] = [0, 0];
  for (let i = 0; i < BLOCK; i++) {
    const byte = i >= 148 && i < 156 ? 32 : header[i]!;
    sum += byte;
    signed += byte < 128 ? byte : byte - 256;
  }
  return wanted === sum || wanted === signed;
}

/** A number in octal digits, or, with the highest bit set, in bytes. */
function numberIn(header: Uint8Array, from: number, length: number): number {
  const field = header.subarray(from, from + length);
  if ((field[0]! & 0x80) !== 0) {
    return field.reduce(
      (sum, byte, i) => Math.min(Number.MAX_SAFE_INTEGER, sum * 256 + (i === 0 ? byte & 0x7f : byte)),
      0,
    );
  }
  const digits = /^\s*([0-7]*)/.exec(utf8.decode(field))![1]!;
  return digits === "" ? 0 : parseInt(digits, 8);
}

function nameIn(header: Uint8Array): Uint8Array {
  const name = untilZero(header.subarray(0, 100));
  const isUstar = utf8.decode(header.subarray(257, 263)) === "ustar\0";
  const prefix = isUstar ? untilZero(header.subarray(345, 500)) : new Uint8Array();
  return prefix.length === 0 ? name : Uint8Array.from([...prefix, SLASH, ...name]);
}

function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** The records `length key=value\n` of pax. */
function paxAttributes(bytes: Uint8Array): Attributes {
  let found: Attributes = {};
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(32, at);
    const length = blank < 0 ? NaN : Number(utf8.decode(bytes.subarray(at, Math.min(blank, at + 20))));
    if (!(length > blank - at)) break;
    const record = bytes.subarray(blank + 1, at + length - 1);
    at += length;
    const equals = record.indexOf(61);
    const key = utf8.decode(record.subarray(0, Math.max(0, equals)));
    const value = record.subarray(equals + 1);
    const number = Number(utf8.decode(value.subarray(0, 40)));
    if (key === "path" && value.length > 0) found = { ...found, name: value };
    else if (key.startsWith("GNU.sparse.")) {
      found = {
        ...found,
        hasHoles: true,
        ...(key.endsWith(".name") && value.length > 0 ? { realName: value } : {}),
      };
    } else if (key === "size" && number >= 0 && Number.isSafeInteger(number)) {
      found = { ...found, size: number };
    } else if (key === "mtime" && Number.isFinite(number)) {
      found = { ...found, mtimeMs: Math.trunc(number * 1000) };
    }
  }
  return found;
}
