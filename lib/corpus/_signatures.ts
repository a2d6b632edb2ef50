import type { MediaKind } from "./types.ts";

type Kind = MediaKind | "other";

/** Signatures that texts do not begin with. */
const SIGNATURES: readonly [Uint8Array, Kind][] = ([
  ["89504e470d0a1a0a", "image"], // PNG
  ["ffd8ff", "image"], // JPEG
  ["474946383761", "image"], // GIF87a
  ["474946383961", "image"], // GIF89a
  ["49492a00", "image"], // TIFF
  ["4d4d002a", "image"],
  ["255044462d", "other"], // %PDF-
  ["504b0304", "archive"], // ZIP, Office, JAR
  ["504b0506", "archive"],
  ["504b0708", "archive"],
  ["1f8b08", "archive"], // gzip
  ["425a6839314159265359", "archive"], // bzip2
  ["fd377a585a00", "archive"], // xz
  ["377abcaf271c", "archive"], // 7z
  ["28b52ffd", "archive"], // zstd
  ["04224d18", "archive"], // lz4
  ["526172211a07", "archive"], // RAR
  ["7f454c46", "other"], // ELF
  ["feedface", "other"],
  ["feedfacf", "other"],
  ["cefaedfe", "other"],
  ["cffaedfe", "other"], // Mach-O
  ["cafebabe", "other"], // Java class, universal Mach-O
  ["0061736d", "other"], // WebAssembly
  ["53514c69746520666f726d6174203300", "other"], // SQLite format 3
  ["d0cf11e0a1b11ae1", "other"], // old Office
  ["000001ba", "video"],
  ["000001b3", "video"], // MPEG
  ["1a45dfa3", "video"], // Matroska, WebM
  ["4f67675300", "audio"], // Ogg
  ["664c614300", "audio"], // FLAC
  ["774f464600010000", "other"],
  ["774f4632", "other"], // WOFF, WOFF2
  ["0001000000", "other"], // TrueType
  ["4f54544f00", "other"], // OpenType
  ["00000100", "image"], // ICO
  ["3026b2758e66cf11", "video"], // ASF, WMV
  ["464c5601", "video"], // FLV
  ["4d534346000000", "archive"], // CAB
  ["213c617263683e0a", "archive"], // ar, .deb
  ["edabeedb", "archive"], // RPM
  ["4344303031", "archive"], // ISO 9660
  ["c5d0d3c6", "image"], // EPS with preview
  ["0000000c6a502020", "image"], // JPEG 2000
  ["50415231", "other"], // Parquet
  ["894844460d0a1a0a", "other"], // HDF5
  ["934e554d5059", "other"], // NumPy
] as const).map(([hex, kind]) => [Uint8Array.fromHex(hex), kind]);

/** Signatures of plain letters, which a text could begin with too. Control bytes must follow. */
const LETTER_SIGNATURES: readonly [Uint8Array, Kind][] = ([
  ["MZ", "other"],
  ["BM", "image"],
  ["ID3", "audio"],
  ["RIFF", "other"],
  ["FORM", "audio"],
  ["wOFF", "other"],
  ["OTTO", "other"],
  ["8BPS", "image"],
  ["fLaC", "audio"],
  ["OggS", "audio"],
  ["MThd", "audio"],
  ["GGUF", "other"],
] as const).map(([letters, kind]) => [new TextEncoder().encode(letters), kind]);

/** Bytes in which control bytes must follow a signature of letters. */
const LETTER_SIGNATURE_HEAD = 64;

/** The kind of a RIFF file by the four letters from its ninth byte on. */
const RIFF: Readonly<Record<string, Kind>> = { WAVE: "audio", "AVI ": "video", WEBP: "image" };
const FTYP = new TextEncoder().encode("ftyp"); // MP4, MOV, HEIC
const USTAR = new TextEncoder().encode("ustar");

/** Whether a file begins with the signature of a known binary format. */
export function hasSignature(bytes: Uint8Array): boolean {
  return signatureKind(bytes) !== undefined;
}

/** The kind of media or archive by the signature of the content, if it is one. */
export function mediaByContent(bytes: Uint8Array): MediaKind | undefined {
  const kind = signatureKind(bytes);
  return kind === "other" ? undefined : kind;
}

function signatureKind(bytes: Uint8Array): Kind | undefined {
  const startsWith = (signature: Uint8Array, at = 0) => signature.every((byte, i) => bytes[at + i] === byte);
  const found = SIGNATURES.find(([signature]) => startsWith(signature));
  if (found !== undefined) return found[1];
  const head = bytes.subarray(0, LETTER_SIGNATURE_HEAD);
  if (head.some((byte) => byte < 32 && !isTextControl(byte))) {
    const lettered = LETTER_SIGNATURES.find(([signature]) => startsWith(signature));
    if (lettered !== undefined) return RIFF[letters(bytes, 8)] ?? lettered[1];
    if (startsWith(FTYP, 4)) return kindOfBrand(letters(bytes, 8));
    if (startsWith(USTAR, 257)) return "archive";
  }
  return isMp3Frame(bytes) ? "audio" : undefined;
}

function letters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function kindOfBrand(brand: string): MediaKind {
  if (/^(?:heic|heix|mif1|msf1|avif|crx )$/.test(brand)) return "image";
  return /^M4[AB] $/.test(brand) ? "audio" : "video";
}

/**
 * Whether a control byte occurs in texts: 8 to 13 (backspace to carriage return), 27 (escape, in coloured logs), 26 (end of
 * file in DOS).
 */
export function isTextControl(byte: number): boolean {
  return (byte >= 8 && byte <= 13) || byte === 27 || byte === 26;
}

/** Whether an MPEG audio frame begins: FF FB, FF F3, FF F2. Of our encodings only Latin-1 can begin like this, with "ÿû". */
function isMp3Frame(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && (bytes[1] === 0xfb || bytes[1] === 0xf3 || bytes[1] === 0xf2);
}
