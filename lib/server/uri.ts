/**
 * The addresses of documents as resources: made, read and matched to a served folder.
 */
import { rootNamed, type ServedCollection } from "#library/search/types.ts";

/** The template of all resources, for clients that fill it in themselves (RFC 6570). */
export const URI_TEMPLATE = "muxue://{collection}/{+path}{?lines}";

/** The place that a URI names. */
interface ResourceAddress {
  /** Name of a served folder. */
  readonly collection: string;
  /** Path in the folder, with `/` between its parts. */
  readonly path: string;
  /** Lines of the text, counted from 1. Absent: all lines. */
  readonly lines?: LineSpan;
}

/** Lines of a text, and the first UTF-16 unit in the first of them. Both counted from 1. */
export interface LineSpan {
  readonly start?: number;
  readonly column?: number;
  readonly end?: number;
}

/**
 * The URI of a document, or of a part that begins at a line.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { resourceUri } from "./uri.ts";
 *
 * equal(resourceUri("notes", "茶/green tea.md"), "muxue://notes/%E8%8C%B6/green%20tea.md");
 * equal(resourceUri("notes", "tea.md", { start: 12, end: 40 }), "muxue://notes/tea.md?lines=12-40");
 * ```
 */
export function resourceUri(collection: string, path: string, lines?: LineSpan): string {
  const encoded = path.split("/").map(encode).join("/");
  const { start = 1, column, end = "" } = lines ?? {};
  const query = lines === undefined
    ? ""
    : `?lines=${start}${column === undefined ? "" : `:${column}`}${start === end ? "" : `-${end}`}`;
  return `muxue://${encode(collection)}/${encoded}${query}`;
}

/**
 * The place that a URI names; `undefined` for a URI of another server. The parts of a path that lead upwards are refused
 * with the others when the file is opened.
 */
export function parseResourceUri(uri: string): ResourceAddress | undefined {
  const parts = /^muxue:\/\/([^/?#]+)\/([^?#]+)(?:\?([^#]*))?(?:#.*)?$/is.exec(uri.trim());
  if (parts === null) return undefined;
  const [, host, encoded, query] = parts;
  const [collection, path] = [decode(host!), decode(encoded!)];
  if (collection === undefined || path === undefined) return undefined;
  if (query === undefined || query === "") return { collection, path };
  const asked = new URLSearchParams(query).get("lines");
  const lines = asked === null ? undefined : lineSpan(asked);
  return lines === undefined ? undefined : { collection, path, lines };
}

/** `12`, `12-40`, `12-`, `-40`, and `12:300-` for a part that begins inside of a line. */
function lineSpan(text: string): LineSpan | undefined {
  const parts = /^(\d{1,9})?(?::(\d{1,9}))?(-)?(\d{1,9})?$/.exec(text.trim());
  if (parts === null || text.trim() === "" || text.trim() === "-") return undefined;
  const [start, column, end] = [parts[1], parts[2], parts[3] === undefined ? parts[1] : parts[4]]
    .map((digits) => digits === undefined ? undefined : Number(digits));
  if (start === undefined && column !== undefined) return undefined;
  return {
    ...(start !== undefined && { start }),
    ...(column !== undefined && { column }),
    ...(end !== undefined && { end }),
  };
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Media types by extension (IANA). The default is `application/octet-stream`. */
const TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  msg: "application/vnd.ms-outlook",
  odt: "application/vnd.oasis.opendocument.text",
  odp: "application/vnd.oasis.opendocument.presentation",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  epub: "application/epub+zip",
  rtf: "application/rtf",
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
  xml: "application/xml",
  json: "application/json",
  ipynb: "application/x-ipynb+json",
  eml: "message/rfc822",
  mbox: "application/mbox",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  md: "text/markdown",
  txt: "text/plain",
  vtt: "text/vtt",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  svg: "image/svg+xml",
  webp: "image/webp",
};

/** The media type of a file by its name. */
export function mediaTypeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(TYPES, extension) ? TYPES[extension]! : "application/octet-stream";
}

/**
 * The served folder of this name or path. Some clients write the host of a URI in lower case, so case is ignored where only
 * one name fits.
 */
export function folderNamed(
  name: string,
  folders: readonly ServedCollection[],
): ServedCollection | undefined {
  const root = rootNamed(name, folders) ?? name;
  return folders.find((folder) => folder.root === root);
}
