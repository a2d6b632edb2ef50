import { looksLikeUtf16 } from "./utf16.ts";

/** What a file's name says of its content. */
export type NameType = "text" | "binary" | "unknown";

const words = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(" ")));

/** The requirement's list (appendix 8.1) and its kin. */
const TEXT_EXTENSIONS = words(
  "txt text md markdown mdx mkd rst adoc asciidoc org tex bib log out diff patch srt vtt ass lrc eml mbox",
  "json jsonl ndjson json5 jsonc geojson ipynb yaml yml toml xml xsd xsl xslt dtd rss atom opml csv tsv psv",
  "ini conf cfg config properties props env editorconfig desktop reg plist strings po pot",
  "html htm xhtml css scss sass less vue svelte astro js mjs cjs jsx ts mts cts tsx",
  "py pyi rb php pl pm lua tcl r jl java kt kts groovy gradle scala clj cljs edn go rs c h cc cpp cxx hh hpp hxx m",
  "mm swift dart cs fs fsx vb pas d nim zig hs lhs ml mli erl hrl ex exs el lisp scm rkt sql graphql gql proto thrift",
  "asm s f f90 f95 for cob cbl v sv vhd vhdl cmake mk mak make ninja bazel bzl tf tfvars hcl nix dockerfile ps1 psm1",
  "psd1 vbs awk sed fish zsh vim dot gv puml plantuml mmd tmpl tpl j2 ejs hbs pug wat sol cu cl glsl hlsl wgsl",
  "lst man me ms nfo readme changelog license todo",
);

/**
 * The requirement's list (appendix 8.2) and its kin. `.sh`, `.bat` and `.svg` hold text, but the requirement
 * names them; PDF and Office are here until they have a loader.
 */
const BINARY_EXTENSIONS = words(
  // pictures, drawings, fonts
  "jpg jpeg jpe jfif png apng gif bmp dib tif tiff svg svgz webp ico icns cur heic heif avif jxl jp2 j2k psd psb xcf",
  "arw cr2 cr3 dng nef orf raf rw2 ai eps indd sketch fig xd cdr dwg dxf skp blend fbx glb stl 3ds max tga dds exr hdr",
  "pcx ppm pgm pbm wmf emf ttf otf ttc woff woff2 eot pfb fon",
  // moving pictures, sound
  "mp4 m4v avi mov flv f4v mkv webm wmv mpg mpeg mpe 3gp 3g2 rm rmvb vob m2ts ogv asf swf",
  "mp3 wav flac aac ogg oga opus m4a m4b wma aif aiff ape amr mid midi au ra mka dsf dff",
  // archives, disk images, packages
  "zip rar tar gz tgz bz2 tbz tbz2 xz txz 7z z lz lzma lz4 lzo zst zstd br cab arj iso img dmg vhd vhdx vmdk vdi qcow2",
  "jar war ear aar apk aab ipa xapk deb rpm msi msix appx pkg snap flatpak appimage crx xpi vsix nupkg whl egg gem",
  // programs and what compilers leave
  "exe dll sys drv com scr cpl ocx sh bat cmd bin elf so dylib a o obj lib pdb class pyc pyo pyd wasm bc ko efi rom hex",
  "node beam hi rlib rmeta dex odex nib mui lnk",
  // documents without a loader
  "pdf doc docx docm dot dotx xls xlsx xlsm xlsb xlt ppt pptx pptm pps ppsx odt ods odp odg rtf pages numbers key epub",
  "mobi azw azw3 djvu chm hlp one pub vsd vsdx mpp xps oxps ps wps et dps ofd caj",
  // data
  "db sqlite sqlite3 db3 mdb accdb dbf mdf ldf ldb frm ibd myd myi pak idx pack npy npz pkl pickle parquet orc avro",
  "arrow feather h5 hdf5 mat rdata rds onnx pt pth ckpt safetensors gguf ggml tflite pb tfrecord mo qm dmp dump core",
  "swp swo p12 pfx jks keystore der cer gpg pgp kdbx torrent pcap pcapng shp shx sav dta",
);

/** Names without an extension that are text wherever they are met. */
const TEXT_NAMES = words(
  "readme license licence copying notice authors contributors changelog changes history news todo install makefile",
  "gnumakefile dockerfile containerfile vagrantfile jenkinsfile procfile gemfile rakefile brewfile justfile",
  "cmakelists.txt codeowners go.mod go.sum version",
);

/** Whether a file's name says that it is text, or that it is not. `path` may have folders. */
export function typeByName(path: string): NameType {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  if (TEXT_NAMES.has(name)) return "text";
  const dot = name.lastIndexOf(".");
  if (dot < 0) return "unknown";
  const extension = name.slice(dot + 1);
  if (TEXT_EXTENSIONS.has(extension)) return "text";
  return BINARY_EXTENSIONS.has(extension) ? "binary" : "unknown";
}

/** Bytes at the start that are looked at, and the size of each further sample. */
const HEAD = 65_536;
const SAMPLE = 4_096;
const SAMPLES = 8;

/**
 * Share of control characters that text may hold. A name that promises text is given the benefit of the
 * doubt.
 */
const MAX_CONTROL_SHARE = { named: 0.05, unnamed: 0.01 };

/** NUL bytes that text may hold: logs have strays from crashes. */
const MAX_NUL_SHARE = { named: 0.003, unnamed: 0.0005 };
const NULS_ALWAYS_ALLOWED = { named: 2, unnamed: 0 };

/**
 * Whether a file's content is not text: a known format's signature, or too many NUL and control bytes at the
 * start and in samples from the rest. UTF-16 is text although half of it may be NULs. An empty file is not
 * binary.
 */
export function looksBinary(bytes: Uint8Array, hasTextName: boolean): boolean {
  if (hasUtf16Mark(bytes)) return false;
  if (hasSignature(bytes)) return true;

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

/**
 * Backspace, tab, line feed, vertical tab, form feed, carriage return; escape, for coloured logs; DOS's end
 * mark.
 */
function isTextControl(byte: number): boolean {
  return (byte >= 8 && byte <= 13) || byte === 27 || byte === 26;
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

/** Signatures that no text starts with. */
const SIGNATURES = [
  "89504e470d0a1a0a", // PNG
  "ffd8ff", // JPEG
  "474946383761", // GIF87a
  "474946383961", // GIF89a
  "49492a00", // TIFF
  "4d4d002a",
  "255044462d", // %PDF-
  "504b0304", // ZIP, Office, JAR
  "504b0506",
  "504b0708",
  "1f8b08", // gzip
  "425a6839314159265359", // bzip2
  "fd377a585a00", // xz
  "377abcaf271c", // 7z
  "28b52ffd", // zstd
  "04224d18", // lz4
  "526172211a07", // RAR
  "7f454c46", // ELF
  "feedface",
  "feedfacf",
  "cefaedfe",
  "cffaedfe", // Mach-O
  "cafebabe", // Java class, universal Mach-O
  "0061736d", // WebAssembly
  "53514c69746520666f726d6174203300", // SQLite format 3
  "d0cf11e0a1b11ae1", // old Office
  "000001ba",
  "000001b3", // MPEG
  "1a45dfa3", // Matroska, WebM
  "4f67675300", // Ogg
  "664c614300", // FLAC
  "774f464600010000",
  "774f4632", // WOFF, WOFF2
  "0001000000", // TrueType
  "4f54544f00", // OpenType
  "00000100", // ICO
  "3026b2758e66cf11", // ASF, WMV
  "464c5601", // FLV
  "4d534346000000", // CAB
  "213c617263683e0a", // ar, .deb
  "edabeedb", // RPM
  "4344303031", // ISO 9660
  "c5d0d3c6", // EPS with preview
  "0000000c6a502020", // JPEG 2000
  "50415231", // Parquet
  "894844460d0a1a0a", // HDF5
  "934e554d5059", // NumPy
].map((hex) => Uint8Array.fromHex(hex));

/** Signatures of plain letters, which a text could start with as well: control bytes must follow soon. */
const LETTER_SIGNATURES = [
  "MZ",
  "BM",
  "ID3",
  "RIFF",
  "FORM",
  "wOFF",
  "OTTO",
  "8BPS",
  "fLaC",
  "OggS",
  "MThd",
  "GGUF",
].map((
  text,
) => new TextEncoder().encode(text));

/** How soon. */
const LETTER_SIGNATURE_HEAD = 64;

function hasSignature(bytes: Uint8Array): boolean {
  const startsWith = (signature: Uint8Array, at = 0) => signature.every((byte, i) => bytes[at + i] === byte);
  if (SIGNATURES.some((signature) => startsWith(signature))) return true;
  const head = bytes.subarray(0, LETTER_SIGNATURE_HEAD);
  const hasControls = head.some((byte) => byte < 32 && !isTextControl(byte));
  if (!hasControls) return isMp3Frame(bytes);
  return LETTER_SIGNATURES.some((signature) => startsWith(signature)) || isMp3Frame(bytes) ||
    startsWith(FTYP, 4) || startsWith(USTAR, 257);
}

const FTYP = new TextEncoder().encode("ftyp"); // MP4, MOV, HEIC
const USTAR = new TextEncoder().encode("ustar");

/** The head of an MPEG audio frame: FF FB, FF F3, FF F2. No encoding of ours starts so but Latin-1's "ÿû". */
function isMp3Frame(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && (bytes[1] === 0xfb || bytes[1] === 0xf3 || bytes[1] === 0xf2);
}
