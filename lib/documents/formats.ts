/**
 * The registry of formats: their names, extensions and loaders, which are imported when a file needs them.
 * Below it: how the format of a file is recognised, by its signature, its extension or its first lines.
 */
import { beginsWith, charactersOf } from "./bytes.ts";
import { ARCHIVE_EXTENSIONS, isDrawingName } from "./classify.ts";
import { isChat, isDiagram, isDocBook, isEvernote, isHtml, isJats, isOutline } from "./root_tag.ts";
import { extensionOf, type Loader } from "./types.ts";
import { zipNames } from "./zip_directory.ts";

const [binary, mixed, text] = [entry("binary"), entry("mixed"), entry("text")];

/**
 * Every format that has a loader, in the order in which they are tried. The order matters where a file looks like several
 * formats: a workbook may be embedded in a document, and a DocBook article can look like a JATS article.
 */
export const FORMATS = [
  binary("pdf", "pdf", () => import("./pdf/loader.ts")),
  binary("docx", "docx docm dotx dotm", () => import("./docx/loader.ts"), {
    officeFolder: "word/",
    // Every encrypted Office file has this stream. The loader reports that it needs a password.
    streams: ["EncryptedPackage"],
  }),
  binary("pptx", "pptx pptm ppsx ppsm potx", () => import("./formats/pptx.ts"), { officeFolder: "ppt/" }),
  binary("xlsx", "xlsx xlsm xltx xltm", () => import("./formats/xlsx.ts"), { officeFolder: "xl/" }),
  binary("xlsb", "xlsb", () => import("./formats/xlsb.ts"), {
    entry: /^xl[/\\]workbook\.bin$/i,
  }),
  binary("visio", "vsdx vsdm vstx vstm", () => import("./diagram/visio.ts"), { officeFolder: "visio/" }),
  binary("odf", "odt ott odp otp ods ots fodt fodp fods", () => import("./odf/loader.ts")),
  binary("epub", "epub", () => import("./formats/epub.ts")),
  binary("ofd", "ofd", () => import("./ofd/loader.ts"), { entry: /^OFD\.xml$/i }),
  binary("mobi", "mobi azw azw3 prc", () => import("./mobi/loader.ts"), {
    signature: /^.{31}\0.{28}(?:BOOKMOBI|TEXtREAd)/s,
  }),
  binary("mindmap", "xmind", () => import("./formats/mind_map.ts")),
  binary("chm", "chm", () => import("./chm/loader.ts"), { signature: /^ITSF/ }),
  binary("archive", ARCHIVE_EXTENSIONS, () => import("./archive/archive.ts")),
  binary("iwork", "pages numbers key", () => import("./iwork/loader.ts"), {
    // As one file, as a folder that was zipped (any archive may have an `Index.zip` beside its folders), and of 2009.
    entry:
      /^(?:[^/]+\.(?:pages|numbers|key)\/)?(?:Index\/Document\.iwa|Metadata\/BuildVersionHistory\.plist|index\.apxl|buildVersionHistory\.plist)$|^[^/]+\.(?:pages|numbers|key)\/Index\.zip$/,
  }),
  binary("sqlite", "sqlite sqlite3 db db3", () => import("./sqlite/loader.ts"), {
    signature: /^SQLite format 3\0/,
  }),
  // WPS Office writes the formats of Office 97 under its own extensions, or those of Office 2007.
  binary("doc", "doc dot wps wpt", () => import("./doc/loader.ts"), { streams: ["WordDocument"] }),
  binary("ppt", "ppt pps dps dpt", () => import("./formats/ppt.ts"), { streams: ["PowerPoint Document"] }),
  binary("xls", "xls xlt et ett", () => import("./formats/xls.ts"), { streams: ["Workbook", "Book"] }),
  binary("msg", "msg", () => import("./formats/mail.ts"), { streams: ["__properties_version1.0"] }),
  // Objects in the documents before have streams of these names too.
  binary("works", "", () => import("./formats/works.ts"), { streams: ["CONTENTS", "MN0"] }),
  mixed("rtf", "rtf", () => import("./rtf/loader.ts"), { signature: /^\{\\rtf/ }),
  text("html", "html htm xhtml xht", () => import("./html/loader.ts"), { matches: isHtml }),
  mixed("mhtml", "mht mhtml", () => import("./formats/mhtml.ts")),
  text("jats", "nxml jats", () => import("./formats/jats.ts"), {
    matches: (head, isXml) => isXml && isJats(head),
  }),
  text("docbook", "dbk docbook", () => import("./formats/docbook.ts"), {
    matches: (head, isXml) => isXml && isDocBook(head),
  }),
  // FreeMind's extension `.mm` is also that of source code.
  text("outline", "opml", async () => ({ loader: (await import("./formats/mind_map.ts")).outlineLoader }), {
    matches: isOutline,
  }),
  // A picture made of a drawing keeps the drawing inside.
  mixed("diagram", "drawio dio canvas excalidraw excalidrawlib", () => import("./diagram/loader.ts"), {
    matches: isDiagram,
  }),
  text("notebook", "ipynb", () => import("./formats/notebook.ts")),
  text("bibliography", "bib bibtex", () => import("./formats/bibliography.ts")),
  text("subtitles", "srt vtt ass ssa lrc", () => import("./formats/subtitles.ts"), {
    matches: (head) => /^WEBVTT(?:\s|$)/.test(afterProlog(head)),
  }),
  mixed("mail", "eml mbox emlx", () => import("./formats/mail.ts"), {
    matches: (head) => /^From \S+.*\d{4}\r?\n/.test(afterProlog(head)),
  }),
  text("evernote", "enex", () => import("./formats/evernote.ts"), { matches: isEvernote }),
  mixed("calendar", "ics ical icalendar vcs", () => import("./formats/calendar.ts"), {
    matches: (head) => /^BEGIN:VCALENDAR\s/i.test(afterProlog(head)),
  }),
  mixed(
    "contacts",
    "vcf vcard",
    async () => ({ loader: (await import("./formats/calendar.ts")).contactsLoader }),
    {
      matches: (head) => /^BEGIN:VCARD\s/i.test(afterProlog(head)),
    },
  ),
  text("chat", "", () => import("./formats/chat.ts"), { matches: isChat }),
  text("csv", "csv tsv psv tab", () => import("./formats/csv.ts")),
  // Source code is recognised by `codeKind()` and read as a text. The loader adds the sections that a parser finds.
  text("code", "", () => import("./code/loader.ts")),
];

/** A format that has a loader, and how its files are recognised. */
interface Format<Name extends string> extends Marks {
  readonly name: Name;
  /** Extensions in lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly content: "text" | "mixed" | "binary";
  /** Imports the loader, together with the libraries that it needs. */
  readonly load: () => Promise<{ readonly loader: Loader }>;
}

/** By what the files of a format are recognised, whatever their name. */
interface Marks {
  /** Matches the first 100 bytes of every file as characters, each standing for one byte. */
  readonly signature?: RegExp;
  /** Folder inside the ZIP archive that only this Office format has. */
  readonly officeFolder?: string;
  /** Matches the name of an entry of the ZIP archive that only this format has. */
  readonly entry?: RegExp;
  /** Streams that mark the format in a compound file (MS-CFB). */
  readonly streams?: readonly string[];
  /** Returns whether a text with this beginning (4,096 bytes) is of the format. `isXml`: by name or prolog. */
  readonly matches?: (head: string, isXml: boolean) => boolean;
}

type Entry = <Name extends string>(
  ...format: [name: Name, extensions: string, load: Format<Name>["load"], marks?: Marks]
) => Format<Name>;

function entry(content: Format<string>["content"]): Entry {
  return (name, extensions, load, marks) => ({
    name,
    extensions: extensions === "" ? [] : extensions.split(" "),
    content,
    load,
    ...marks,
  });
}

/** Name of the loader that reads the metadata of a picture, which is a document only where its text is to be recognised. */
export const PICTURE = "picture";

/** Name of a format that has a loader. */
export type FormatName = (typeof FORMATS)[number]["name"];

/** Returns the loader of a format or {@linkcode PICTURE}; `undefined` for an unknown name. */
export async function loaderOfFormat(name: string): Promise<Loader | undefined> {
  if (name === PICTURE) return (await import("./formats/picture.ts")).loader;
  return (await FORMATS.find((format) => format.name === name)?.load())?.loader;
}

/** A text without byte order mark, XML declaration and comments at its start. */
function afterProlog(head: string): string {
  return head.replace(/^\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*/s, "");
}

const BY_EXTENSION: ReadonlyMap<string, FormatName> = new Map(
  FORMATS.flatMap(({ name, extensions }) => extensions.map((extension) => [extension, name] as const)),
);

/** Bytes at the start of a text by which its format is recognised. */
const HEAD = 4096;
const PERCENT = "%".charCodeAt(0);
/** Names of a ZIP archive that are read at most. Office writes its main parts among the first. */
const MAX_ZIP_NAMES = 2000;

/** Returns the format that the extension of a file promises, if it has a loader. `path` may contain folders. */
export function formatByName(path: string): FormatName | undefined {
  return isDrawingName(path) ? "diagram" : BY_EXTENSION.get(extensionOf(path));
}

/**
 * Returns the format of a file: by its signature if it has one, else by its extension, else by the beginning of its text.
 * `undefined` for other texts and for binary files that no loader reads.
 */
export function formatOf(bytes: Uint8Array, path: string): FormatName | undefined {
  return formatBySignature(bytes) ?? formatByName(path) ??
    formatOfText(new TextDecoder().decode(bytes.subarray(0, HEAD)), path);
}

/**
 * Returns the nature of the files of a format. `text`: text throughout. `mixed`: text that may hold parts in other
 * encodings, or bytes. `binary`: no text, so that a file of this name without the signature is damaged.
 */
export function contentOf(format: FormatName): "text" | "mixed" | "binary" {
  return FORMATS.find(({ name }) => name === format)!.content;
}

function formatBySignature(bytes: Uint8Array): FormatName | undefined {
  if (beginsWith(bytes, "PK\x03\x04")) return formatOfZip(bytes);
  if (beginsWith(bytes, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return formatOfCompoundFile(bytes);
  const head = charactersOf(bytes.subarray(0, 100));
  const format = FORMATS.find(({ signature }) => signature?.test(head))?.name;
  return format ?? (isPdf(bytes) ? "pdf" : undefined);
}

/**
 * Returns whether a file is a PDF. Readers accept up to 1,024 other bytes before the signature. A text that only mentions
 * the signature lacks the `%%EOF` of a PDF.
 */
function isPdf(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 1024 + 5);
  let at = head.indexOf(PERCENT);
  while (at >= 0 && !beginsWith(head, "%PDF-", at)) at = head.indexOf(PERCENT, at + 1);
  return at === 0 || at > 0 && (head.includes(0) || charactersOf(bytes.subarray(-1024)).includes("%%EOF"));
}

/** OpenDocument and EPUB begin with an uncompressed entry that holds their type. Office files are recognised by a folder. */
function formatOfZip(bytes: Uint8Array): FormatName | undefined {
  const head = charactersOf(bytes.subarray(0, 200));
  if (head.includes("mimetypeapplication/epub+zip")) return "epub";
  if (head.includes("mimetypeapplication/vnd.oasis.opendocument.")) return "odf";
  const names = zipNames(bytes, MAX_ZIP_NAMES);
  const has = (prefix: string) => names.some((name) => name.replaceAll("\\", "/").startsWith(prefix));
  const marked = FORMATS.find(({ entry }) => entry !== undefined && names.some((name) => entry.test(name)));
  if (marked !== undefined) return marked.name;
  if (!has("[Content_Types].xml")) return has("META-INF/container.xml") ? "epub" : undefined;
  return FORMATS.find(({ officeFolder }) => officeFolder !== undefined && has(officeFolder))?.name;
}

function formatOfCompoundFile(bytes: Uint8Array): FormatName | undefined {
  return FORMATS.find(({ streams = [] }) => streams.some((name) => hasStream(bytes, name)))?.name;
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
  const format = FORMATS.find(({ matches }) => matches?.(head, isXml))?.name;
  return format === "html" && isPhpSource(head, path) ? undefined : format;
}

/** A page with PHP in it is source code. A saved page may keep the extension of the program that wrote it. */
function isPhpSource(head: string, path: string): boolean {
  return /\.(?:php\d?|phtml)$/i.test(path) && /<\?(?:php\b|=)/.test(head);
}
