import { isDocBook } from "./docbook/detect.ts";
import { isHtml } from "./html/detect.ts";
import { isJats } from "./jats/detect.ts";
import type { Format, Loader } from "./loader.ts";

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
    load: () => import("./pptx/loader.ts"),
  },
  {
    name: "xlsx",
    extensions: ["xlsx", "xlsm", "xltx", "xltm"],
    content: "binary",
    officeFolder: "xl/",
    load: () => import("./xlsx/loader.ts"),
  },
  {
    name: "odf",
    extensions: ["odt", "ott", "odp", "otp", "ods", "ots", "fodt", "fodp", "fods"],
    content: "binary",
    load: () => import("./odf/loader.ts"),
  },
  { name: "epub", extensions: ["epub"], content: "binary", load: () => import("./epub/loader.ts") },
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
    load: () => import("./ppt/loader.ts"),
  },
  {
    name: "xls",
    extensions: ["xls", "xlt"],
    content: "binary",
    streams: ["Workbook", "Book"],
    load: () => import("./xls/loader.ts"),
  },
  {
    name: "msg",
    extensions: ["msg"],
    content: "binary",
    streams: ["__properties_version1.0"],
    load: () => import("./mail/loader.ts"),
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
  { name: "mhtml", extensions: ["mht", "mhtml"], content: "mixed", load: () => import("./mhtml/loader.ts") },
  {
    name: "jats",
    extensions: ["nxml", "jats"],
    content: "text",
    matches: (head, isXml) => isXml && isJats(head),
    load: () => import("./jats/loader.ts"),
  },
  {
    name: "docbook",
    extensions: ["dbk", "docbook"],
    content: "text",
    matches: (head, isXml) => isXml && isDocBook(head),
    load: () => import("./docbook/loader.ts"),
  },
  { name: "notebook", extensions: ["ipynb"], content: "text", load: () => import("./notebook/loader.ts") },
  {
    name: "subtitles",
    extensions: ["srt", "vtt", "ass", "ssa", "lrc"],
    content: "text",
    matches: (head) => /^WEBVTT(?:\s|$)/.test(afterProlog(head)),
    load: () => import("./subtitles/loader.ts"),
  },
  {
    name: "mail",
    extensions: ["eml", "mbox", "emlx"],
    content: "mixed",
    matches: (head) => /^From \S+.*\d{4}\r?\n/.test(afterProlog(head)),
    load: () => import("./mail/loader.ts"),
  },
  {
    name: "csv",
    extensions: ["csv", "tsv", "psv", "tab"],
    content: "text",
    load: () => import("./csv/loader.ts"),
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
