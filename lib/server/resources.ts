/**
 * The indexed documents as resources of the protocol: their list, their text, subscriptions, links to them in the answers of
 * tools; and their addresses: made, read and matched to a served folder.
 */
import { basename, join, sep } from "node:path";
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
  ResourceLink,
} from "@modelcontextprotocol/server";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import { message } from "#foundation/messages/mod.ts";
import {
  estimatedTokens,
  fittedText,
  type NamedPicture,
  pictureNamed,
  readPicture,
} from "#library/answer/mod.ts";
import type { Hit, IndexedFolder, Library, StoredFile } from "#library/search/mod.ts";
import { rootNamed, type ServedCollection } from "#library/search/served_collections.ts";
import type { ConnectedClient } from "./connected_client.ts";
import { protocolError } from "./errors.ts";
import { answerLimit, READ_TOKENS, searchModules, type ToolContext } from "./tool.ts";

/** Resources in one answer: about 100 kB. */
const PAGE = 500;

/** Answers `resources/list`: every indexed document is a resource. */
export async function listResources(
  cursor: string | undefined,
  context: ToolContext,
): Promise<ListResourcesResult> {
  try {
    const page = await documentsAfter(cursor, PAGE + 1, context.library);
    if (page === undefined) throw new UserError("list_cursor_unknown");
    const shown = page.slice(0, PAGE);
    return {
      resources: shown.map(resourceOf),
      ...(page.length > PAGE && { nextCursor: uriOf(shown.at(-1)!) }),
    };
  } catch (error) {
    throw await protocolError(error, "resources/list", context);
  }
}

/** Answers `resources/templates/list`. */
export function listTemplates({ language }: Pick<ToolContext, "language">): ListResourceTemplatesResult {
  return {
    resourceTemplates: [{
      name: "document",
      title: message(language, "resource_template_title"),
      description: message(language, "resource_template_about"),
      uriTemplate: URI_TEMPLATE,
    }, {
      name: "picture",
      title: message(language, "resource_picture_title"),
      description: message(language, "resource_picture_about"),
      uriTemplate: PICTURE_TEMPLATE,
    }],
  };
}

/** Answers `resources/read`. */
export async function readResource(
  uri: string,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  try {
    const address = parseResourceUri(uri);
    const folder = address && folderNamed(address.collection, context.library.collections);
    if (address === undefined || folder === undefined) throw new UserError("resource_not_found", { uri });
    const read = address.picture === undefined ? textOf : pictureOf;
    return await read({ uri, folder, address }, context, signal);
  } catch (error) {
    throw await protocolError(error, "resources/read", context, uri);
  }
}

/** Answers `resources/subscribe` and `resources/unsubscribe`. */
export async function changeSubscription(
  change: "subscribe" | "unsubscribe",
  uri: string,
  client: ConnectedClient,
  context: ToolContext,
): Promise<Record<string, never>> {
  try {
    const address = parseResourceUri(uri);
    const folder = address && folderNamed(address.collection, context.library.collections);
    if (address === undefined || folder === undefined) throw new UserError("resource_not_found", { uri });
    client[change](uri, resourceUri(folder.name, address.path));
    return {};
  } catch (error) {
    throw await protocolError(error, `resources/${change}`, context, uri);
  }
}

function resourceOf(document: ListedResource): Resource {
  const { path, title, format, size, mtimeMs } = document.file;
  return {
    uri: uriOf(document),
    name: path,
    title: title ?? basename(path),
    mimeType: textTypeOf(path, format),
    // Of a document that is converted, the size says nothing about its text.
    ...(format === undefined && { size }),
    annotations: { lastModified: new Date(mtimeMs).toISOString() },
  };
}

/** Media types of texts that do not begin with `text/`. */
const OTHER_TEXTS = /[/+](?:json|xml)$/;

/** Media type of the text of a document. `format`: name of the format that a loader read. */
function textTypeOf(name: string, format: string | undefined): string {
  if (format !== undefined && format !== "text") return "text/markdown";
  const type = mediaTypeOf(name);
  return type.startsWith("text/") || OTHER_TEXTS.test(type) ? type : "text/plain";
}

/** A resource that a client wants to read. */
interface WantedResource {
  readonly uri: string;
  readonly folder: ServedCollection;
  readonly address: ResourceAddress;
}

/** The largest picture that is given unless a call says otherwise: pixels of its longer side, and bytes. Base64 adds a third. */
export const PICTURE_LIMIT = { side: 1_000, bytes: 1_500_000 } as const;

/** A picture in a document, scaled down if it is large. Throws what {@linkcode Library.readPictures} and {@linkcode readPicture} throw. */
async function pictureOf(
  { uri, folder, address: { path, picture } }: WantedResource,
  { library, language, log }: ToolContext,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const request = { want: "pictures", numbers: [picture!.number], ...PICTURE_LIMIT } as const;
  const read = await library.readPictures(join(folder.root, path), request, signal);
  const { given, problem } = readPicture(read, picture!);
  log.info("read_resource", { path: read.path, image: picture!.number, bytes: given?.size });
  if (given === undefined) {
    const reason = message(language, `image_problem_${problem!}`);
    throw new UserError("image_not_given", { path: read.path, reason });
  }
  return { contents: [{ uri, mimeType: given.mediaType, blob: read.contents[0]!.toBase64() }] };
}

/**
 * The text of a document as it is indexed, or the lines that the URI names. A text that is longer than one answer may be is
 * cut; a second part has the URI of the rest. Throws what {@linkcode Library.readDocument} throws.
 */
async function textOf(
  { uri, folder, address }: WantedResource,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const { library, language, log, config } = context;
  const served = await library.readDocument(join(folder.root, address.path), signal);
  const { documentPart } = await searchModules();
  const { startLine, endLine } = served.cited ?? {};
  const cited = startLine === undefined || endLine === undefined
    ? undefined
    : { start: startLine, end: endLine };
  const { start, end, column }: LineSpan = address.lines ?? cited ?? {};
  const request = present({ startLine: start, endLine: end, startColumn: column });
  const partOf = (chars: number) => {
    const part = documentPart(served.document, request, chars, served.path);
    const { nextLine, nextColumn } = part;
    const next = nextLine === undefined
      ? undefined
      : resourceUri(folder.name, address.path, present({ start: nextLine, column: nextColumn, end }));
    const notice = next === undefined ? "" : message(language, "resource_continues", {
      start: part.startLine,
      end: part.endLine,
      total: part.totalLines,
      uri: next,
    });
    return { code: 200 as const, message: "", data: null, part, next, notice, text: part.text + notice };
  };
  const limit = answerLimit({ ...context, shape: "text" }, undefined, READ_TOKENS);
  const { part, next, notice } = fittedText(
    partOf,
    (answer) => answer.part.text,
    config.max_read_chars,
    limit,
  );
  log.info("read_resource", { path: served.path, lines: [part.startLine, part.endLine] });
  const type = textTypeOf(served.name, served.format);
  return {
    contents: [
      { uri, mimeType: type, text: part.text },
      ...(next === undefined ? [] : [{ uri: next, mimeType: "text/plain", text: notice }]),
    ],
  };
}

/** A document that clients can read as a resource. */
interface ListedResource {
  readonly folder: ServedCollection;
  readonly file: StoredFile;
}

/** Up to `limit` documents after the one of a URI, whether that still exists; `undefined` for a URI of no served folder. */
async function documentsAfter(
  uri: string | undefined,
  limit: number,
  library: Library,
): Promise<readonly ListedResource[] | undefined> {
  const documents = await documentList(library);
  if (uri === undefined) return documents.slice(0, limit);
  const address = parseResourceUri(uri);
  const folder = address && folderNamed(address.collection, library.collections);
  if (address === undefined || folder === undefined) return undefined;
  const order = new Map(library.collections.map(({ root }, i) => [root, i]));
  const at = documents.findIndex((one) => {
    const difference = order.get(one.folder.root)! - order.get(folder.root)!;
    return difference > 0 || difference === 0 && one.file.path > address.path;
  });
  return at < 0 ? [] : documents.slice(at, at + limit);
}

function uriOf({ folder, file }: ListedResource): string {
  return resourceUri(folder.name, file.path);
}

/** The last list of each library. Making one of 100,000 documents takes 0.1 s. */
const LISTS = new WeakMap<Library, { of: readonly IndexedFolder[]; list: readonly ListedResource[] }>();

/** The indexed documents by folder and path. A file of two served folders belongs to the inner one. */
export async function documentList(library: Library): Promise<readonly ListedResource[]> {
  const indexed = await (await library.catalog()).folders();
  const last = LISTS.get(library);
  const isSame = last !== undefined && last.of.length === indexed.length &&
    last.of.every(({ files }, i) => files === indexed[i]!.files);
  if (isSame) return last.list;
  const folders = library.collections;
  const list = folders.flatMap((folder) => {
    const inner = indexed.filter(({ root }) => root !== folder.root && root.startsWith(folder.root + sep))
      .map(({ root, files }) => ({
        prefix: root.slice(folder.root.length + 1).replaceAll(sep, "/") + "/",
        paths: new Set(files.filter(isIndexed).map(({ path }) => path)),
      }));
    const isInner = (path: string) =>
      inner.some(({ prefix, paths }) => path.startsWith(prefix) && paths.has(path.slice(prefix.length)));
    return (indexed.find(({ root }) => root === folder.root)?.files ?? [])
      .filter((file) => isIndexed(file) && !isInner(file.path))
      .sort((a, b) => a.path < b.path ? -1 : 1)
      .map((file) => ({ folder, file }));
  });
  LISTS.set(library, { of: indexed, list });
  return list;
}

function isIndexed({ status }: StoredFile): boolean {
  return status === "indexed";
}

/** Share of an answer's limit that the links may take, where they count. */
const SHARE = 0.1;

/** A link to the resource of a file, or of a picture in it; `undefined` for one outside of the collections. */
export function resourceLink(
  path: string,
  collections: readonly ServedCollection[],
  picture?: string,
): ResourceLink | undefined {
  const innerFirst = collections.toSorted((a, b) => b.root.length - a.root.length);
  const folder = innerFirst.find(({ root }) => path.startsWith(root.endsWith(sep) ? root : root + sep));
  if (folder === undefined) return undefined;
  const name = path.slice(folder.root.length).replaceAll(sep, "/").replace(/^\//, "");
  const query = picture === undefined ? "" : `image=${picture}`;
  return {
    type: "resource_link" as const,
    uri: resourceUri(folder.name, name) + (query && `?${query}`),
    name: name + (query && `#${query}`),
  };
}

/** A link to the resource of each file of the hits, the best first. */
export function resourceLinks(
  hits: readonly Hit[],
  collections: readonly ServedCollection[],
): ResourceLink[] {
  return [...new Set(hits.map(({ filePath }) => filePath))].flatMap((path) =>
    resourceLink(path, collections) ?? []
  );
}

/** The first of the links that take at most a tenth of `maxTokens`, and their estimated tokens. */
export function linksWithin(
  links: readonly ResourceLink[],
  maxTokens: number,
): { readonly links: readonly ResourceLink[]; readonly tokens: number } {
  let tokens = 0;
  for (const [i, link] of links.entries()) {
    const cost = estimatedTokens(JSON.stringify(link));
    if (tokens + cost > SHARE * maxTokens) return { links: links.slice(0, i), tokens };
    tokens += cost;
  }
  return { links, tokens };
}

/** The template of all documents, for clients that fill it in themselves (RFC 6570), and that of their pictures. */
export const URI_TEMPLATE = "muxue://{collection}/{+path}{?lines}";
export const PICTURE_TEMPLATE = "muxue://{collection}/{+path}{?image}";

/** The place that a URI names. */
interface ResourceAddress {
  /** Name of a served folder. */
  readonly collection: string;
  /** Path in the folder, with `/` between its parts. */
  readonly path: string;
  /** Lines of the text, counted from 1. Absent: all lines. */
  readonly lines?: LineSpan;
  /** A picture in the document. */
  readonly picture?: NamedPicture;
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
 * import { resourceUri } from "./resources.ts";
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

/** The place that a URI names; `undefined` for a URI of another server. Opening it refuses ways upwards. */
export function parseResourceUri(uri: string): ResourceAddress | undefined {
  const parts = /^muxue:\/\/([^/?#]+)\/([^?#]+)(?:\?([^#]*))?(?:#.*)?$/is.exec(uri.trim());
  if (parts === null) return undefined;
  const [, host, encoded, query] = parts;
  const [collection, path] = [decode(host!), decode(encoded!)];
  if (collection === undefined || path === undefined) return undefined;
  if (query === undefined || query === "") return { collection, path };
  const asked = new URLSearchParams(query);
  const lines = lineSpan(asked.get("lines") ?? "");
  const picture = pictureNamed(asked.get("image") ?? "");
  if (lines !== undefined && !asked.has("image")) return { collection, path, lines };
  return picture === undefined || asked.has("lines") ? undefined : { collection, path, picture };
}

/** `12`, `12-40`, `12-`, `-40`, and `12:300-` for a part that begins inside of a line. */
function lineSpan(text: string): LineSpan | undefined {
  const parts = /^(\d{1,9})?(?::(\d{1,9}))?(-)?(\d{1,9})?$/.exec(text.trim());
  if (parts === null || text.trim() === "" || text.trim() === "-") return undefined;
  const [start, column, end] = [parts[1], parts[2], parts[3] === undefined ? parts[1] : parts[4]]
    .map((digits) => digits === undefined ? undefined : Number(digits));
  if (start === undefined && column !== undefined) return undefined;
  return present({ start, column, end });
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

/** The served folder of this name or path; in any case where one name fits: some clients write hosts in lower case. */
export function folderNamed(
  name: string,
  folders: readonly ServedCollection[],
): ServedCollection | undefined {
  const root = rootNamed(name, folders) ?? name;
  return folders.find((folder) => folder.root === root);
}
