/**
 * Tells text, documents and other files apart: by name, by signature, and by control bytes in samples.
 * The lists of extensions and the signatures of binary formats are here.
 */
import { looksLikeUtf16 } from "./encoding.ts";
import { extensionOf, fileName, words } from "./types.ts";

/** Kinds of binary files without text. */
export type MediaKind = "archive" | "image" | "audio" | "video";

/** The kind of content by a file's name. `unknown`: a document that a loader reads, or any other. */
export type NameType = "text" | "binary" | "unknown";

/** The extensions of the requirements (appendix 8.1), and similar ones. */
const TEXT_EXTENSIONS = words(
  "txt text md markdown mdx mkd rst adoc asciidoc org tex bib log out diff patch srt vtt ass lrc eml mbox",
  "json jsonl ndjson json5 jsonc geojson ipynb yaml yml toml xml xsd xsl xslt dtd rss atom opml csv tsv psv",
  "ini conf cfg config properties props env editorconfig desktop reg plist strings po pot",
  "html htm xhtml css scss sass less vue svelte astro js mjs cjs jsx ts mts cts tsx",
  "py pyi rb php pl pm lua tcl r jl java kt kts groovy gradle scala clj cljs edn go rs c h cc cpp cxx hh hpp hxx m",
  "mm swift dart cs fs fsx vb pas d nim zig hs lhs ml mli erl hrl ex exs el lisp scm rkt sql graphql gql proto thrift",
  "asm s f f90 f95 for cob cbl v sv vhd vhdl cmake mk mak make ninja bazel bzl tf tfvars hcl nix dockerfile ps1 psm1 sh bash zsh ksh bat cmd",
  "psd1 vbs awk sed fish vim dot gv puml plantuml mmd tmpl tpl j2 ejs hbs pug wat sol cu cl glsl hlsl wgsl",
  "lst man me ms nfo readme changelog license todo",
);

/** Most extensions of the requirements (appendix 8.2), and similar ones. `.svg` is text, but the requirements list it. */
const MEDIA_EXTENSIONS: Readonly<Record<MediaKind, ReadonlySet<string>>> = {
  image: words(
    "jpg jpeg jpe jfif png apng gif bmp dib tif tiff svg svgz webp ico icns cur heic heif avif jxl jp2 j2k psd psb xcf",
    "arw cr2 cr3 dng nef orf raf rw2 ai eps indd sketch fig xd cdr dwg dxf tga dds exr hdr pcx ppm pgm pbm wmf emf",
  ),
  video: words("mp4 m4v avi mov flv f4v mkv webm wmv mpg mpeg mpe 3gp 3g2 rm rmvb vob m2ts ogv asf swf"),
  audio: words("mp3 wav flac aac ogg oga opus m4a m4b wma aif aiff ape amr mid midi au ra mka dsf dff"),
  archive: words(
    "rar z lz lzma lz4 lzo zstd br cab arj iso img dmg vhd vhdx vmdk vdi qcow2",
    "jar war ear aar apk aab ipa xapk deb rpm msi msix appx pkg snap flatpak appimage crx xpi vsix nupkg whl egg gem",
  ),
};

/** Pictures in which text can be recognised. */
const PICTURE_EXTENSIONS = words("png jpg jpeg jpe jfif tif tiff webp");

/** Documents that no loader reads. They are reported, because a user may search for their content. */
const DOCUMENTS_WITHOUT_LOADER = words(
  "odg djvu hlp one pub vsd mpp xps oxps ps caj",
);

/** The other extensions of the requirements, and similar ones. */
const BINARY_EXTENSIONS = words(
  // models, fonts
  "skp blend fbx glb stl 3ds max ttf otf ttc woff woff2 eot pfb fon",
  // programs and compiler output
  "exe dll sys drv com scr cpl ocx bin elf so dylib a o obj lib pdb class pyc pyo pyd wasm bc ko efi rom hex",
  "node beam hi rlib rmeta dex odex nib mui lnk",
  // data
  "mdb accdb dbf mdf ldf ldb frm ibd myd myi pak idx pack npy npz pkl pickle parquet orc avro",
  "arrow feather h5 hdf5 mat rdata rds onnx pt pth ckpt safetensors gguf ggml tflite pb tfrecord mo qm dmp dump core",
  "swp swo p12 pfx jks keystore der cer gpg pgp kdbx torrent pcap pcapng shp shx sav dta",
);

/** Names of text files, most without an extension. */
const TEXT_NAMES = words(
  "readme license licence copying notice authors contributors changelog changes history news todo install makefile",
  "gnumakefile dockerfile containerfile vagrantfile jenkinsfile procfile gemfile rakefile brewfile justfile",
  "cmakelists.txt codeowners go.mod go.sum version",
);

/** The kind of content by a file's name. `path` may contain folders. */
export function typeByName(path: string): NameType {
  if (TEXT_NAMES.has(fileName(path).toLowerCase())) return "text";
  const extension = extensionOf(path);
  if (TEXT_EXTENSIONS.has(extension)) return "text";
  if (isDrawingName(path)) return "unknown";
  const isBinary = BINARY_EXTENSIONS.has(extension) || DOCUMENTS_WITHOUT_LOADER.has(extension) ||
    mediaByName(path) !== undefined;
  return isBinary ? "binary" : "unknown";
}

/** The kind of media or archive by a file's extension, if it is one. `path` may contain folders. */
export function mediaByName(path: string): MediaKind | undefined {
  const extension = extensionOf(path);
  const kinds = Object.entries(MEDIA_EXTENSIONS) as [MediaKind, ReadonlySet<string>][];
  return kinds.find(([, extensions]) => extensions.has(extension))?.[0];
}

/** Whether a file is, by its name, a picture in which text can be recognised. */
export function isPictureName(path: string): boolean {
  return PICTURE_EXTENSIONS.has(extensionOf(path));
}

/** The extensions of archives whose files are read. */
export const ARCHIVE_EXTENSIONS = "zip tar gz tgz bz2 tbz tbz2 xz txz zst tzst 7z";
const ARCHIVES = words(ARCHIVE_EXTENSIONS);

/** Whether a file is, by its name, an archive whose files are read. */
export function isArchiveName(path: string): boolean {
  return ARCHIVES.has(extensionOf(path));
}

/** Whether a file is, by its name, a picture that was made of a drawing and keeps it inside. */
export function isDrawingName(path: string): boolean {
  return /\.(?:drawio|dio|excalidraw)\.(?:svg|png)$/i.test(path);
}

/** The reason to skip a file whose name says that it is not text. */
export function binaryReason(path: string): MediaKind | "no_loader" | "binary_type" {
  const isDocument = DOCUMENTS_WITHOUT_LOADER.has(extensionOf(path));
  return mediaByName(path) ?? (isDocument ? "no_loader" : "binary_type");
}

export function isMediaKind(reason: string): reason is MediaKind {
  return Object.hasOwn(MEDIA_EXTENSIONS, reason);
}

/** Bytes at the start that are examined. */
const HEAD = 65_536;
/** Bytes of a further sample, and the number of samples. */
const SAMPLE = 4_096;
const SAMPLES = 8;

/** Share of control characters that a text may have. Files with a text extension may have more. */
const MAX_CONTROL_SHARE = { named: 0.05, unnamed: 0.01 };

/** Share of NUL bytes that a text may have: logs have some after a crash. */
const MAX_NUL_SHARE = { named: 0.003, unnamed: 0.0005 };
const NULS_ALWAYS_ALLOWED = { named: 2, unnamed: 0 };

/**
 * Whether a file's content is binary: it has the signature of a known format, or too many NUL and control bytes at the start
 * and in samples of the rest. UTF-16 is text although half of its bytes may be NUL. An empty file is not binary.
 */
export function looksBinary(bytes: Uint8Array, hasTextName: boolean): boolean {
  if (hasUtf16Mark(bytes)) return false;
  if (signatureKind(bytes) !== undefined) return true;

  let looked = 0;
  let nuls = 0;
  let controls = 0;
  for (const part of samples(bytes)) {
    looked += part.length;
    for (let i = 0; i < part.length; i++) {
      const byte = part[i]!;
      if (byte === 0) nuls++;
      else if ((byte < 32 && !isTextControl(byte)) || byte === 127) controls++;
    }
  }
  if (nuls === 0 && controls === 0) return false;
  if (nuls > 0 && looksLikeUtf16(bytes) !== null) return false;
  const kind = hasTextName ? "named" : "unnamed";
  return nuls > Math.max(NULS_ALWAYS_ALLOWED[kind], looked * MAX_NUL_SHARE[kind]) ||
    controls > Math.max(1, looked * MAX_CONTROL_SHARE[kind]);
}

function hasUtf16Mark(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function* samples(bytes: Uint8Array): Generator<Uint8Array> {
  yield bytes.subarray(0, HEAD);
  if (bytes.length <= HEAD) return;
  const stride = Math.max(SAMPLE, Math.floor((bytes.length - HEAD) / SAMPLES));
  for (let at = HEAD; at < bytes.length; at += stride) yield bytes.subarray(at, at + SAMPLE);
}

type Kind = MediaKind | "other";

/** Signatures that texts do not begin with, each character for one byte. */
const SIGNATURES: Readonly<Record<Kind, readonly string[]>> = {
  image: [
    ...["\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF87a", "GIF89a", "II*\0", "MM\0*"], // PNG, JPEG, GIF, TIFF
    ...["\0\0\x01\0", "\xc5\xd0\xd3\xc6", "\0\0\0\x0cjP  "], // ICO, EPS with preview, JPEG 2000
  ],
  archive: [
    ...["PK\x03\x04", "PK\x05\x06", "PK\x07\x08", "\x1f\x8b\x08", "BZh91AY&SY"], // ZIP, gzip, bzip2
    ...["\xfd7zXZ\0", "7z\xbc\xaf'\x1c", "(\xb5/\xfd", "\x04\x22M\x18", "Rar!\x1a\x07"], // xz, 7z, zstd, lz4, RAR
    ...["MSCF\0\0\0", "!<arch>\n", "\xed\xab\xee\xdb", "CD001"], // CAB, ar and .deb, RPM, ISO 9660
  ],
  video: [
    ...["\0\0\x01\xba", "\0\0\x01\xb3", "\x1aE\xdf\xa3"], // MPEG, Matroska and WebM
    ...["0&\xb2u\x8ef\xcf\x11", "FLV\x01"], // ASF and WMV, FLV
  ],
  audio: ["OggS\0", "fLaC\0"],
  other: [
    ...["%PDF-", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "SQLite format 3\0"], // PDF, old Office, SQLite
    ...["\x7fELF", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe"], // ELF, Mach-O
    ...["\xca\xfe\xba\xbe", "\0asm"], // Java class and universal Mach-O, WebAssembly
    ...["wOFF\0\x01\0\0", "wOF2", "\0\x01\0\0\0", "OTTO\0"], // WOFF, WOFF2, TrueType, OpenType
    ...["PAR1", "\x89HDF\r\n\x1a\n", "\x93NUMPY"], // Parquet, HDF5, NumPy
  ],
};

/** Signatures of plain letters, which a text could begin with too. Control bytes must follow. */
const LETTER_SIGNATURES: Readonly<Record<Kind, readonly string[]>> = {
  image: ["BM", "8BPS"],
  archive: [],
  video: [],
  audio: ["ID3", "FORM", "fLaC", "OggS", "MThd"],
  other: ["MZ", "RIFF", "wOFF", "OTTO", "GGUF"],
};

/** Bytes in which control bytes must follow a signature of letters. */
const LETTER_SIGNATURE_HEAD = 64;

/** The kind of a RIFF file by the four letters from its ninth byte on. */
const RIFF: Readonly<Record<string, Kind>> = { WAVE: "audio", "AVI ": "video", WEBP: "image" };

/** The kind of media or archive by the signature of the content, if it is one. */
export function mediaByContent(bytes: Uint8Array): MediaKind | undefined {
  const kind = signatureKind(bytes);
  return kind === "other" ? undefined : kind;
}

/** The kind of a file that begins with the signature of a known binary format. */
function signatureKind(bytes: Uint8Array): Kind | undefined {
  const letters = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  const start = letters(0, 16);
  const kindIn = (table: Readonly<Record<Kind, readonly string[]>>) =>
    (Object.keys(table) as Kind[]).find((kind) =>
      table[kind].some((signature) => start.startsWith(signature))
    );
  const found = kindIn(SIGNATURES);
  if (found !== undefined) return found;
  const head = bytes.subarray(0, LETTER_SIGNATURE_HEAD);
  if (head.some((byte) => byte < 32 && !isTextControl(byte))) {
    const lettered = kindIn(LETTER_SIGNATURES);
    if (lettered !== undefined) return RIFF[letters(8, 12)] ?? lettered;
    // MP4, MOV, HEIC.
    if (letters(4, 8) === "ftyp") return kindOfBrand(letters(8, 12));
    if (letters(257, 262) === "ustar") return "archive";
  }
  return isMp3Frame(bytes) ? "audio" : undefined;
}

function kindOfBrand(brand: string): MediaKind {
  if (/^(?:heic|heix|mif1|msf1|avif|crx )$/.test(brand)) return "image";
  return /^M4[AB] $/.test(brand) ? "audio" : "video";
}

/**
 * Whether a control byte occurs in texts: 8 to 13 (backspace to carriage return), 27 (escape, in coloured logs), 26 (end of
 * file in DOS).
 */
function isTextControl(byte: number): boolean {
  return (byte >= 8 && byte <= 13) || byte === 27 || byte === 26;
}

/** Whether an MPEG audio frame begins: FF FB, FF F3, FF F2. Of our encodings only Latin-1 can begin like this, with "ÿû". */
function isMp3Frame(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && (bytes[1] === 0xfb || bytes[1] === 0xf3 || bytes[1] === 0xf2);
}
