/**
 * The registry of formats: their names, extensions and loaders, which are imported when a file needs them.
 * Below it: how the format of a file is recognised, by its signature, its extension or its first lines.
 */
import { isDocBook, isHtml, isJats } from "./root_tag.ts";
import { extensionOf, type Format, type Loader } from "./types.ts";
import { zipNames } from "./zip_directory.ts";

/**
 * Every format that has a loader, in the order in which they are tried. The order matters where a file looks like several
 * formats: a workbook may be embedded in a document, and a DocBook article can look like a JATS article.
 */
export const FORMATS = [
  { name: "pdf", extensions: ["pdf"], content: "binary", load: () => import("./pdf/loader.ts") },
  {
    name: "docx",
    extensions: ["docx", "docm", "dotx", "dotm"],
    content: "binary",
    officeFolder: "word/",
    // Every encrypted Office file has this stream. The loader reports that it needs a password.
    streams: ["EncryptedPackage"],
    load: () => import("./docx/loader.ts"),
  },
  {
    name: "pptx",
    extensions: ["pptx", "pptm", "ppsx", "ppsm", "potx"],
    content: "binary",
    officeFolder: "ppt/",
    load: () => import("./formats/pptx.ts"),
  },
  {
    name: "xlsx",
    extensions: ["xlsx", "xlsm", "xltx", "xltm"],
    content: "binary",
    officeFolder: "xl/",
    load: () => import("./formats/xlsx.ts"),
  },
  {
    name: "odf",
    extensions: ["odt", "ott", "odp", "otp", "ods", "ots", "fodt", "fodp", "fods"],
    content: "binary",
    load: () => import("./odf/loader.ts"),
  },
  { name: "epub", extensions: ["epub"], content: "binary", load: () => import("./formats/epub.ts") },
  {
    name: "doc",
    extensions: ["doc", "dot"],
    content: "binary",
    streams: ["WordDocument"],
    load: () => import("./doc/loader.ts"),
  },
  {
    name: "ppt",
    extensions: ["ppt", "pps"],
    content: "binary",
    streams: ["PowerPoint Document"],
    load: () => import("./formats/ppt.ts"),
  },
  {
    name: "xls",
    extensions: ["xls", "xlt"],
    content: "binary",
    streams: ["Workbook", "Book"],
    load: () => import("./formats/xls.ts"),
  },
  {
    name: "msg",
    extensions: ["msg"],
    content: "binary",
    streams: ["__properties_version1.0"],
    load: () => import("./formats/mail.ts"),
  },
  {
    name: "rtf",
    extensions: ["rtf"],
    content: "mixed",
    signature: "{\\rtf",
    load: () => import("./rtf/loader.ts"),
  },
  {
    name: "html",
    extensions: ["html", "htm", "xhtml", "xht"],
    content: "text",
    matches: isHtml,
    load: () => import("./html/loader.ts"),
  },
  { name: "mhtml", extensions: ["mht", "mhtml"], content: "mixed", load: () => import("./formats/mhtml.ts") },
  {
    name: "jats",
    extensions: ["nxml", "jats"],
    content: "text",
    matches: (head, isXml) => isXml && isJats(head),
    load: () => import("./formats/jats.ts"),
  },
  {
    name: "docbook",
    extensions: ["dbk", "docbook"],
    content: "text",
    matches: (head, isXml) => isXml && isDocBook(head),
    load: () => import("./formats/docbook.ts"),
  },
  { name: "notebook", extensions: ["ipynb"], content: "text", load: () => import("./formats/notebook.ts") },
  {
    name: "subtitles",
    extensions: ["srt", "vtt", "ass", "ssa", "lrc"],
    content: "text",
    matches: (head) => /^WEBVTT(?:\s|$)/.test(afterProlog(head)),
    load: () => import("./formats/subtitles.ts"),
  },
  {
    name: "mail",
    extensions: ["eml", "mbox", "emlx"],
    content: "mixed",
    matches: (head) => /^From \S+.*\d{4}\r?\n/.test(afterProlog(head)),
    load: () => import("./formats/mail.ts"),
  },
  {
    name: "csv",
    extensions: ["csv", "tsv", "psv", "tab"],
    content: "text",
    load: () => import("./formats/csv.ts"),
  },
  // Source code is recognised by `codeKind()` and read as a text. The loader adds the sections that a parser finds.
  { name: "code", extensions: [], content: "text", load: () => import("./code/loader.ts") },
] as const satisfies readonly Format[];

/** Name of the loader that recognises text in images. No file is of this format. */
export const RECOGNITION = "recognition";

/** Name of a format that has a loader. */
export type FormatName = (typeof FORMATS)[number]["name"];

/** Returns the loader of a format, or {@linkcode RECOGNITION}; `undefined` for an unknown name. */
export async function loaderOf(name: string): Promise<Loader | undefined> {
  // Its bytes are a request, not a file.
  if (name === RECOGNITION) return (await import("./recognition/loader.ts")).loader;
  const format = FORMATS.find((format) => format.name === name);
  return format === undefined ? undefined : (await format.load()).loader;
}

/** A text without byte order mark, XML declaration and comments at its start. */
function afterProlog(head: string): string {
  return head.replace(/^\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*/s, "");
}

const LIST: readonly (Format & { readonly name: FormatName })[] = FORMATS;
const BY_EXTENSION: ReadonlyMap<string, FormatName> = new Map(
  LIST.flatMap(({ name, extensions }) => extensions.map((extension) => [extension, name])),
);
const BY_NAME: ReadonlyMap<FormatName, Format> = new Map(LIST.map((format) => [format.name, format]));

/** Bytes at the start of a text by which its format is recognised. */
const HEAD = 4096;
const PERCENT = "%".charCodeAt(0);
/** Names of a ZIP archive that are read at most. Office writes its main parts among the first. */
const MAX_ZIP_NAMES = 2000;

/** Returns the format that the extension of a file promises, if it has a loader. `path` may contain folders. */
export function formatByName(path: string): FormatName | undefined {
  return BY_EXTENSION.get(extensionOf(path));
}

/**
 * Returns the format of a file: by its signature if it has one, else by its extension, else by the beginning of its text.
 * `undefined` for other texts and for binary files that no loader reads.
 */
export function formatOf(bytes: Uint8Array, path: string): FormatName | undefined {
  return formatBySignature(bytes) ?? formatByName(path) ??
    formatOfText(new TextDecoder().decode(bytes.subarray(0, HEAD)), path);
}

/** Returns whether files of a format are not text, so that a file of that name without the signature is damaged. */
export function isBinaryFormat(format: FormatName): boolean {
  return BY_NAME.get(format)?.content === "binary";
}

/**
 * Returns whether files of a format are text throughout. Mail, saved pages and RTF may hold parts in other encodings, or
 * bytes.
 */
export function isTextFormat(format: FormatName): boolean {
  return BY_NAME.get(format)?.content === "text";
}

function formatBySignature(bytes: Uint8Array): FormatName | undefined {
  if (startsWith(bytes, "PK\x03\x04")) return formatOfZip(bytes);
  if (startsWith(bytes, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return formatOfCompoundFile(bytes);
  const format = LIST.find(({ signature }) => signature !== undefined && startsWith(bytes, signature));
  return format?.name ?? (isPdf(bytes) ? "pdf" : undefined);
}

/**
 * Returns whether a file is a PDF. Readers accept up to 1,024 other bytes before the signature. A text that only mentions
 * the signature lacks the `%%EOF` of a PDF.
 */
function isPdf(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 1024 + 5);
  let at = head.indexOf(PERCENT);
  while (at >= 0 && !startsWith(head.subarray(at), "%PDF-")) at = head.indexOf(PERCENT, at + 1);
  return at === 0 || at > 0 && (head.includes(0) || latin1(bytes.subarray(-1024)).includes("%%EOF"));
}

/** OpenDocument and EPUB begin with an uncompressed entry that holds their type. Office files are recognised by a folder. */
function formatOfZip(bytes: Uint8Array): FormatName | undefined {
  const head = latin1(bytes.subarray(0, 200));
  if (head.includes("mimetypeapplication/epub+zip")) return "epub";
  if (head.includes("mimetypeapplication/vnd.oasis.opendocument.")) return "odf";
  const names = zipNames(bytes, MAX_ZIP_NAMES);
  const has = (prefix: string) => names.some((name) => name.replaceAll("\\", "/").startsWith(prefix));
  if (!has("[Content_Types].xml")) return has("META-INF/container.xml") ? "epub" : undefined;
  return LIST.find(({ officeFolder }) => officeFolder !== undefined && has(officeFolder))?.name;
}

function formatOfCompoundFile(bytes: Uint8Array): FormatName | undefined {
  return LIST.find(({ streams = [] }) => streams.some((name) => hasStream(bytes, name)))?.name;
}

/** Directory entries begin at multiples of 128 bytes with their name in UTF-16. */
function hasStream(bytes: Uint8Array, name: string): boolean {
  const wanted = Uint8Array.from([...name, "\0"].flatMap((char) => [char.charCodeAt(0), 0]));
  for (let at = 512; at + 128 <= bytes.length; at += 128) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return true;
  }
  return false;
}

/** Returns the format of a text whose name does not tell it. `head`: its beginning. */
function formatOfText(head: string, path: string): FormatName | undefined {
  const isXml = /\.xml$/i.test(path) || /^\ufeff?\s*<\?xml/.test(head);
  const format = LIST.find(({ matches }) => matches?.(head, isXml))?.name;
  return format === "html" && isPhpSource(head, path) ? undefined : format;
}

/** A page with PHP in it is source code. A saved page may keep the extension of the program that wrote it. */
function isPhpSource(head: string, path: string): boolean {
  return /\.(?:php\d?|phtml)$/i.test(path) && /<\?(?:php\b|=)/.test(head);
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return latin1(bytes.subarray(0, signature.length)) === signature;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
