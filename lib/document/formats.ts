import { isDocBook } from "./docbook/detect.ts";
import { isHtml } from "./html/detect.ts";
import { isJats } from "./jats/detect.ts";
import { zipNames } from "./zip/names.ts";

/** The formats that are read by a loader of their own. Every other text is read as markup or plain text. */
export type FormatName =
  | "pdf"
  | "docx"
  | "pptx"
  | "xlsx"
  | "odf"
  | "epub"
  | "doc"
  | "xls"
  | "ppt"
  | "msg"
  | "rtf"
  | "html"
  | "mhtml"
  | "jats"
  | "docbook"
  | "notebook"
  | "mail"
  | "subtitles"
  | "csv";

/** Extensions of each format, in lower case. */
const EXTENSIONS: Readonly<Record<FormatName, readonly string[]>> = {
  pdf: ["pdf"],
  docx: ["docx", "docm", "dotx", "dotm"],
  pptx: ["pptx", "pptm", "ppsx", "ppsm", "potx"],
  xlsx: ["xlsx", "xlsm", "xltx", "xltm"],
  odf: ["odt", "ott", "odp", "otp", "ods", "ots", "fodt", "fodp", "fods"],
  epub: ["epub"],
  doc: ["doc", "dot"],
  xls: ["xls", "xlt"],
  ppt: ["ppt", "pps"],
  msg: ["msg"],
  rtf: ["rtf"],
  html: ["html", "htm", "xhtml", "xht"],
  mhtml: ["mht", "mhtml"],
  jats: ["nxml", "jats"],
  docbook: ["dbk", "docbook"],
  notebook: ["ipynb"],
  mail: ["eml", "mbox", "emlx"],
  subtitles: ["srt", "vtt", "ass", "ssa", "lrc"],
  csv: ["csv", "tsv", "psv", "tab"],
};

const BY_EXTENSION: ReadonlyMap<string, FormatName> = new Map(
  (Object.entries(EXTENSIONS) as [FormatName, readonly string[]][])
    .flatMap(([format, extensions]) => extensions.map((extension) => [extension, format] as const)),
);

/** Formats whose files are no text: they are known by a signature. */
const BINARY: ReadonlySet<FormatName> = new Set([
  "pdf",
  "docx",
  "pptx",
  "xlsx",
  "odf",
  "epub",
  "doc",
  "xls",
  "ppt",
  "msg",
]);

/** Bytes at the start in which a text format shows. */
const HEAD = 4096;
/** Names of a ZIP archive that are looked at. Office writes its parts among the first. */
const MAX_ZIP_NAMES = 2000;

/** The format that a file's name promises, if it is one of ours. `path` may have folders. */
export function formatByName(path: string): FormatName | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  return dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1));
}

/**
 * The format of a file: by its content where that has a signature, else by its name. Nothing for texts that no loader of
 * its own reads, and for other binary files.
 */
export function formatOf(bytes: Uint8Array, path: string): FormatName | undefined {
  const byContent = formatByContent(bytes);
  if (byContent !== undefined) return byContent;
  const byName = formatByName(path);
  if (byName !== undefined) return byName;
  return textFormat(new TextDecoder().decode(bytes.subarray(0, HEAD)), path);
}

/** Whether files of a format are no text, so that a file of that name without the signature is damaged. */
export function isBinaryFormat(format: FormatName): boolean {
  return BINARY.has(format);
}

/** Whether a format is plain text throughout. Mail, saved pages and RTF may hold parts in other encodings, or bytes. */
export function isTextFormat(format: FormatName): boolean {
  return !BINARY.has(format) && format !== "mail" && format !== "mhtml" && format !== "rtf";
}

function formatByContent(bytes: Uint8Array): FormatName | undefined {
  if (startsWith(bytes, "PK\x03\x04")) return zipFormat(bytes);
  if (startsWith(bytes, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return oleFormat(bytes);
  if (startsWith(bytes, "{\\rtf")) return "rtf";
  return isPdf(bytes) ? "pdf" : undefined;
}

/** Readers accept a PDF behind up to 1,024 bytes of something else. A text that mentions the signature has no end of a PDF. */
function isPdf(bytes: Uint8Array): boolean {
  const head = latin1(bytes.subarray(0, 1024 + 5));
  const at = head.indexOf("%PDF-");
  return at === 0 || at > 0 && (head.includes("\0") || latin1(bytes.subarray(-1024)).includes("%%EOF"));
}

/** Tells the format of a ZIP archive by the names in it and the type that OpenDocument and EPUB put first, uncompressed. */
function zipFormat(bytes: Uint8Array): FormatName | undefined {
  const head = latin1(bytes.subarray(0, 200));
  if (head.includes("mimetypeapplication/epub+zip")) return "epub";
  if (head.includes("mimetypeapplication/vnd.oasis.opendocument.")) return "odf";
  const names = zipNames(bytes, MAX_ZIP_NAMES);
  const has = (prefix: string) => names.some((name) => name.replaceAll("\\", "/").startsWith(prefix));
  if (!has("[Content_Types].xml")) return has("META-INF/container.xml") ? "epub" : undefined;
  return has("word/") ? "docx" : has("ppt/") ? "pptx" : has("xl/") ? "xlsx" : undefined;
}

/** Names of streams by which a compound file (MS-CFB) tells what it is, in the order in which they count. */
const STREAMS: readonly (readonly [string, FormatName])[] = [
  ["EncryptedPackage", "docx"],
  ["WordDocument", "doc"],
  ["PowerPoint Document", "ppt"],
  ["Workbook", "xls"],
  ["Book", "xls"],
  ["__properties_version1.0", "msg"],
];

function oleFormat(bytes: Uint8Array): FormatName | undefined {
  // directory entries begin at multiples of 128 bytes with their name in UTF-16
  for (const [name, format] of STREAMS) {
    const wanted = Uint8Array.from([...name, "\0"].flatMap((char) => [char.charCodeAt(0), 0]));
    for (let at = 512; at + 128 <= bytes.length; at += 128) {
      if (wanted.every((byte, i) => bytes[at + i] === byte)) return format;
    }
  }
  return undefined;
}

/** The format that a text without a telling name begins like. */
function textFormat(head: string, path: string): FormatName | undefined {
  const start = head.replace(/^\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*/s, "");
  const isXml = /\.xml$/i.test(path);
  if (isHtml(head)) return isPhpSource(head, path) ? undefined : "html";
  if (isXml || /^\ufeff?\s*<\?xml/.test(head)) {
    if (isJats(head)) return "jats";
    if (isDocBook(head)) return "docbook";
  }
  if (/^WEBVTT(?:\s|$)/.test(start)) return "subtitles";
  return /^From \S+.*\d{4}\r?\n/.test(start) ? "mail" : undefined;
}

/** A page that a program writes is source code, while a saved page may have the name of the program that wrote it. */
function isPhpSource(head: string, path: string): boolean {
  return /\.(?:php\d?|phtml)$/i.test(path) && /<\?(?:php\b|=)/.test(head);
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return latin1(bytes.subarray(0, signature.length)) === signature;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
