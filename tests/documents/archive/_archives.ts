import { crc32, deflateRawSync } from "node:zlib";
import { joinedBytes } from "#documents/mod.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

/** Joins pieces of bytes. */
export const joined = (...pieces: readonly Uint8Array[]): Bytes => joinedBytes(pieces);

function numbers(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Bytes {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

/** An entry of a ZIP archive with everything that an archive may get wrong. */
export interface ZipPart {
  /** Bytes of a name in any encoding, or a text in UTF-8. */
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  readonly flags?: number;
  readonly extra?: Uint8Array;
  readonly method?: number;
  /** The place of the local header; default: its own. */
  readonly header?: number;
}

/** Makes a ZIP archive of 6 February 2024, 10:30, as a program without scruples would. */
export function rawZip(parts: readonly ZipPart[]): Bytes {
  const locals: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, content = "", flags = 0, extra = new Uint8Array(), method = 8, header = at } of parts) {
    const [nameBytes, plain] = [bytesOf(name), bytesOf(content)];
    const packed = method === 8 ? deflateRawSync(plain) : plain;
    const facts: readonly (readonly [2 | 4, number])[] = [
      [2, flags],
      [2, method],
      [4, 10 << 11 | 30 << 5 | (2024 - 1980 << 9 | 2 << 5 | 6) << 16],
      [4, crc32(plain)],
      [4, packed.length],
      [4, plain.length],
      [2, nameBytes.length],
      [2, extra.length],
    ];
    const local = joined(numbers([4, 0x04034b50], [2, 20], ...facts), nameBytes, extra, packed);
    locals.push(local);
    directory.push(
      numbers([4, 0x02014b50], [2, 20], [2, 20], ...facts, [2, 0], [2, 0], [2, 0], [4, 0], [4, header]),
      nameBytes,
      extra,
    );
    at += local.length;
  }
  const central = joined(...directory);
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, parts.length],
    [2, parts.length],
    [4, central.length],
    [4, at],
    [2, 0],
  );
  return joined(...locals, central, end);
}

/** An entry of a tar archive. */
export interface TarPart {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** `0`: a file, `2`: a link, `5`: a folder, `x`: attributes, `L`: the long name of the next entry. */
  readonly kind?: string;
  readonly linkTo?: string;
}

/** Makes a tar archive (ustar) of 1 January 2024. */
export function tarOf(parts: readonly TarPart[]): Bytes {
  const pieces = parts.map(({ name, content = "", kind = "0", linkTo = "" }) => {
    const bytes = bytesOf(content);
    const header = new Uint8Array(512);
    const put = (at: number, text: string | Uint8Array) => header.set(bytesOf(text), at);
    put(0, bytesOf(name).subarray(0, 100));
    put(100, "0000644\0");
    put(124, `${bytes.length.toString(8).padStart(11, "0")}\0`);
    put(136, `${(Date.UTC(2024, 0, 1) / 1000).toString(8)}\0`);
    put(148, "        ");
    put(156, kind);
    put(157, linkTo);
    put(257, "ustar\x0000");
    const sum = header.reduce((sum, byte) => sum + byte, 0);
    put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
    return joined(header, bytes, new Uint8Array((512 - bytes.length % 512) % 512));
  });
  return joined(...pieces, new Uint8Array(1024));
}

/** A number as 7z writes it. */
export function sevenZipNumber(value: number): Bytes {
  return value < 0x80 ? Uint8Array.of(value) : joined(Uint8Array.of(0xff), numbers([4, value], [4, 0]));
}

/** Makes a 7z archive of some packed bytes and a header, of which the parts are numbers or bytes. */
export function rawSevenZip(packed: Uint8Array, ...header: readonly (number | Uint8Array)[]): Bytes {
  const bytes = joined(...header.map((part) => typeof part === "number" ? sevenZipNumber(part) : part));
  const place = numbers([4, packed.length], [4, 0], [4, bytes.length], [4, 0], [4, crc32(bytes)]);
  const start = numbers([4, crc32(place)]);
  return joined(Uint8Array.fromHex("377abcaf271c0004"), start, place, packed, bytes);
}

/** Makes a 7z archive of one block in LZMA2, in which the files lie one after the other. */
export function sevenZipOf(
  lzma2: Uint8Array,
  files: readonly (readonly [name: string, size: number])[],
): Bytes {
  const names = files.map(([name]) =>
    joined(...[...`${name}\0`].map((char) => numbers([2, char.charCodeAt(0)])))
  );
  const sizes = files.map(([, size]) => size);
  return rawSevenZip(
    lzma2,
    ...[1, 4, 6, 0, 1, 9, lzma2.length, 0],
    ...[7, 11, 1, 0, 1, 0x21, 0x21, 1, 24, 12, sizes.reduce((sum, size) => sum + size, 0), 0],
    ...[8, 13, files.length, 9, ...sizes.slice(0, -1), 0, 0],
    ...[5, files.length, 17, joined(...names).length + 1, 0, ...names, 0, 0],
  );
}

/** A piece of LZMA2 that is not packed. */
export function storedLzma2(content: string | Uint8Array): Bytes {
  const bytes = bytesOf(content);
  return joined(Uint8Array.of(1, bytes.length - 1 >> 8, bytes.length - 1 & 255), bytes);
}

/** Makes an xz file of one block in LZMA2, with no checksum. */
export function xzOf(lzma2: Uint8Array): Bytes {
  const heads = Uint8Array.fromHex("fd377a585a0000000000000002002101160000000000000000");
  const end = new Uint8Array((4 - lzma2.length % 4) % 4 + 20);
  return joined(heads.subarray(0, 24), lzma2, end);
}

/** Made by p7zip and xz: `tea.txt` of one line, in a.7z also `資料/茶.md`, in x86.xz three times and filtered for x86. */
const SAMPLES = {
  "a.7z":
    "N3q8ryccAASB/lEemQAAAAAAAAAhAAAAAAAAAMlzSYUBACJUZWEgbmVlZHMgd2F0ZXIgb2YgODAgZGVncmVlcy4K6Iy2CgAAAIEzB64P0Hif/J8/R0EFh4ajQDx9Fv5JE69SahZlc8snJiSmHIAmygDc/Teyfos6Sry4jWz597243kdGUSl4+uYXpGQZci4DaRYMwBciTfzHR6iEcZ+T18GKAwXrcBByipeNzVZime4KjYXcAjfPAAAXBicBCXIABwsBAAEjAwEBBV0AEAAADICKCgGvGyKsAAA=",
  "e.7z":
    "N3q8ryccAASL7usCoAAAAAAAAAAuAAAAAAAAAHOOMlM+lm4lJ6lfL9DbaTRbaOK8NKv4lgFMHIuVO7SYjFfIgwiV7CStgHvAPpog87lZ7DdgRcY8jddBddY3jYtBopQIzsCyvFEy556ztB7U/Uyq0VHV1flqTuPFFoDu7jS6PVzex6B6L0TeFa+RL6LlrRmfq61qlIutRk4D/MFfAD1h1Tsgjw7UpW0bTRvTz8g2i8JDTIIoY6yoUThFAf300lk0FwYwAQlwAAcLAQABJAbxBwESUw/otuEFMy1BnODOkXH+BHoUDGoKAaQFy/gAAA==",
  "p.7z":
    "N3q8ryccAAShsnggIAAAAAAAAABaAAAAAAAAAMjGzg8AVBNJlQhMHuuFdp3KnFJSsGxcPS2bd7oSE/vozmaoAAEEBgABCSAABwsBAAEjAwQBBQYAAAEADB8ACAoBh0B2YwAABQEZBgAAAAAAABERAHQAZQBhAC4AdAB4AHQAAAAZAgAAFAoBAMit5WxVfd0BFQYBACCApIEAAA==",
  "tea.txt.xz":
    "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jMAQAeVGVhIG5lZWRzIHdhdGVyIG9mIDgwIGRlZ3JlZXMuCgAAvnk4Vh8zrZQAATcf6hiJPR+2830BAAAAAARZWg==",
  "x86.xz":
    "/Td6WFoAAAFpIt42AgEEACEBAADaM60D4ABcACZdACoZSCIDDGWT0EY1OR50NlHoVE2lmNNdqquyNXyGW30rT1ITDwAAAAAAafqDiQABPl0fg5l0kEKZDQEAAAAAAVla",
  "tea.txt.bz2":
    "QlpoOTFBWSZTWetYLCYAAATbgAAQQAFAQAQAJ4GcgCAAMUNNMABEyaNqNNHqNp4rqACTdpXoouVhFOGp/i7kinChIdawWEw=",
} as const;

/** An archive that another program made. */
export function sample(name: keyof typeof SAMPLES): Bytes {
  return Uint8Array.fromBase64(SAMPLES[name]);
}

/** Bytes of each instruction in {@linkcode gzipOfItself}. */
const UNIT = 12;
/** A piece of no bytes, which fills an instruction. */
const EMPTY = "0100000000";

/** Bits as the inflater takes them, the lowest of a byte first. */
function deflated(...pieces: readonly string[]): Bytes {
  const bits = pieces.join("");
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  [...bits].forEach((bit, i) => bytes[i >> 3]! |= Number(bit) << (i & 7));
  return bytes;
}

/**
 * Makes a gzip file that unpacks to itself but for its checksum, which is 0: copies of its own instructions, "write the next
 * bytes" and "repeat the last bytes", so ordered that each is written by another.
 */
export function gzipOfItself(): Bytes {
  const head = Uint8Array.fromHex("1f8b0800000000000003");
  const tail = new Uint8Array(8);
  const write = (count: number) =>
    joined(deflated(...Array<string>(6).fill(EMPTY), "000"), numbers([2, count], [2, count ^ 0xffff]));
  /** The length and the distance are the same. Then comes a piece of no bytes, the last one or not. */
  const repeat = (codes: string, last = "0") =>
    joined(
      deflated(`010${codes}0000000`, ...Array<string>(3).fill(EMPTY), `${last}00`),
      Uint8Array.fromHex("0000ffff"),
    );
  const [writeHead, write1, write4] = [write(head.length + UNIT), write(UNIT), write(4 * UNIT)];
  const [repeatHead, repeat4] = [repeat("00011011101000101"), repeat("0010010101010101111")];
  const [nothing, writeTail, repeatTail] = [
    write(0),
    write(tail.length + UNIT),
    repeat("00011011001000110", "1"),
  ];
  return joined(
    ...[head, writeHead, head, writeHead, repeatHead, write1, repeatHead, write1, write1],
    ...[
      write4,
      repeatHead,
      write1,
      write1,
      write4,
      repeat4,
      write4,
      repeat4,
      write4,
      repeat4,
      write4,
      repeat4,
    ],
    ...[write4, repeat4, nothing, nothing, writeTail, repeat4, nothing, nothing, writeTail, repeatTail, tail],
    ...[repeatTail, tail],
  );
}
