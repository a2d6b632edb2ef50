/** The calls of the page Documents: the files of the folders with their states, and what the index has of one. */
import { join, sep } from "node:path";
import { Hono } from "hono/tiny";
import * as z from "zod";
import { contentOf, type FormatName, metadataFields } from "#documents/mod.ts";
import { fileMask, filtersOf, typeOfPath } from "#engine/query/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { type Language, message, pageList } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { folded } from "#foundation/written_values.ts";
import { folderFiles, type ListedFile, reasonText } from "#library/ingest/mod.ts";
import type { DocumentDetails, ServedCollection, ServedPictures, StoredFile } from "#library/search/mod.ts";
import { bodyOf, languageOf } from "../answers.ts";
import { OFFSET, PATH, TEXT } from "../forms.ts";
import type { PagesParts } from "../parts.ts";
import {
  type Count,
  DOCUMENT_STATES,
  type ListAnswer,
  type ListCall,
  type Loss,
  MOST_LISTED,
  MOST_THUMBNAILS,
  type OneAnswer,
  type PicturesAnswer,
  SORT_KEYS,
  type WireChunk,
  type WireDocument,
  type WirePicture,
} from "../wire/documents.ts";

const LIST = z.object({
  collection: TEXT.optional(),
  path: TEXT.optional(),
  kind: TEXT.optional(),
  tag: TEXT.optional(),
  state: z.enum(DOCUMENT_STATES).optional(),
  text: TEXT.optional(),
  sort: z.enum(SORT_KEYS.flatMap((key) => [key, `-${key}`])).optional(),
  offset: OFFSET,
  limit: z.int().min(1).max(MOST_LISTED).optional(),
});

/** Chunks in one answer, and at most. */
const CHUNKS = 30, MOST_CHUNKS = 200;

const ONE = z.object({
  path: PATH,
  offset: OFFSET,
  limit: z.int().min(0).max(MOST_CHUNKS).optional(),
});

const PICTURES = z.object({
  path: PATH,
  numbers: z.array(z.int().min(1).max(1_000_000)).min(1).max(MOST_THUMBNAILS),
});

/** Longer side of a thumbnail in pixels, and its most bytes. */
const SIDE = 240, THUMBNAIL_BYTES = 200_000;

export function documentsRoutes(parts: PagesParts): Hono {
  const list = new DocumentRows(parts);
  return new Hono()
    .post("/list", async (c) => {
      const call = await bodyOf(c, LIST);
      return c.json(await list.answer(present(call) as ListCall, languageOf(c)));
    })
    .post("/one", async (c) => {
      const { path, offset = 0, limit = CHUNKS } = await bodyOf(c, ONE);
      const details = await (await parts.library.catalog()).document(path, offset, limit);
      return c.json(oneAnswer(details, parts, languageOf(c)));
    })
    .post("/pictures", async (c) => {
      const { path, numbers } = await bodyOf(c, PICTURES);
      const request = {
        want: "pictures",
        numbers,
        side: SIDE,
        bytes: THUMBNAIL_BYTES,
        isPlain: true,
      } as const;
      return c.json(picturesAnswer(await parts.library.readPictures(path, request, c.req.raw.signal)));
    });
}

/** Milliseconds for which a comparison with the folders is used again, so that scrolling does not list them anew. */
const KEPT_MS = 3000;

interface Rows {
  readonly documents: readonly WireDocument[];
  /** Authors by the number of the document, for the filter. */
  readonly texts: readonly string[];
  readonly isComplete: boolean;
  readonly notices: readonly string[];
}

/** The files of all folders. Making the list takes time that grows with their number, so it is kept while nothing changes. */
class DocumentRows {
  readonly #parts: PagesParts;
  #kept: { readonly key: string; readonly until: number; readonly rows: Promise<Rows> } | undefined;

  constructor(parts: PagesParts) {
    this.#parts = parts;
  }

  async answer(call: ListCall, language: Language): Promise<ListAnswer> {
    const { documents, texts, isComplete, notices } = await this.#rows(language);
    const { offset = 0, limit = MOST_LISTED, sort = "path" } = call;
    const found = inOrder(matching(documents, texts, call), sort);
    return {
      documents: found.slice(offset, offset + limit),
      total: found.length,
      states: countsOf(documents.map(({ state }) => state)),
      kinds: countsOf(documents.map(({ kind }) => kind)),
      tags: countsOf(documents.flatMap(({ tags }) => tags)),
      isComplete,
      notices,
    };
  }

  async #rows(language: Language): Promise<Rows> {
    const catalog = await this.#parts.library.catalog();
    const key = `${language}\0${await catalog.version()}`;
    if (this.#kept?.key === key && performance.now() < this.#kept.until) return await this.#kept.rows;
    const rows = this.#list(language);
    this.#kept = { key, until: performance.now() + KEPT_MS, rows };
    rows.then(() => {
      if (this.#kept?.rows === rows) this.#kept = { key, until: performance.now() + KEPT_MS, rows };
    }, () => this.#kept = undefined);
    return await rows;
  }

  async #list(language: Language): Promise<Rows> {
    const { library, work, log } = this.#parts;
    const catalog = await library.catalog();
    const notices: string[] = [];
    const found = new Map<string, { readonly document: WireDocument; readonly text: string }>();
    const add = (document: WireDocument, text: string) => {
      // One folder may lie in another.
      const known = found.get(document.path);
      if (known?.document.state !== "indexed") found.set(document.path, { document, text });
    };
    const indexed = new Map((await catalog.folders()).map(({ root, files }) => [root, files]));
    for (const collection of library.collections) {
      const files = indexed.get(collection.root) ?? [];
      const listed = new Map<string, ListedFile>();
      if (work !== undefined) {
        try {
          const config = { ...work.config, language };
          const { files } = await folderFiles(collection.root, config, work);
          for (const file of files) listed.set(file.path, file);
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
          notices.push(message(language, error.key, error.params));
          log.warning("pages.folder_not_listed", { root: collection.root, error: error.key });
        }
      }
      for (const file of files) {
        const now = listed.get(file.path);
        listed.delete(file.path);
        add(documentOf(file, collection, language, now), textOf(file));
      }
      for (const file of listed.values()) add(unknownFile(file, collection), folded(file.path));
    }
    const all = [...found.values()];
    return {
      documents: all.map(({ document }) => document),
      texts: all.map(({ text }) => text),
      isComplete: work !== undefined,
      notices,
    };
  }
}

/** A file that the index has. `now`: the same file beside its folder. */
function documentOf(
  file: StoredFile,
  { name: collection, root }: ServedCollection,
  language: Language,
  now?: ListedFile,
): WireDocument {
  const { path, title, pages, metadata, images = [], reason: why } = file;
  const reason = now?.detail ?? (why === undefined ? undefined : reasonText(file, language));
  return present({
    path: join(root, ...path.split("/")),
    shownPath: path,
    collection,
    state: now?.state ?? file.status,
    reason,
    title,
    kind: kindOf(file),
    size: now?.size ?? file.size,
    modified: now?.modified ?? (file.mtimeMs > 0 ? new Date(file.mtimeMs).toISOString() : undefined),
    pages,
    chunks: file.chunkCount,
    pictures: images.length,
    tags: metadata?.tags ?? [],
    losses: file.status === "indexed" ? lossesOf(file, language).length : 0,
  });
}

/** A file that the index does not have. */
function unknownFile(file: ListedFile, { name: collection, root }: ServedCollection): WireDocument {
  const { path, state, detail: reason, size, modified } = file;
  return present({
    path: join(root, ...path.split("/")) + (path.endsWith("/") ? sep : ""),
    shownPath: path,
    collection,
    state,
    reason,
    kind: path.endsWith("/") ? "folder" : kindOf(file),
    size,
    modified,
    chunks: 0,
    pictures: 0,
    tags: [],
    losses: 0,
  });
}

function kindOf({ path, format }: { readonly path: string; readonly format?: string | undefined }): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return format ?? (name.includes(".", 1) ? typeOfPath(path) : "text");
}

/** The texts of a document that the filter looks at, in their form for comparison. */
function textOf({ path, title = "", metadata }: StoredFile): string {
  return folded([path, title, ...metadata?.authors ?? [], ...metadata?.tags ?? []].join("\n"));
}

/** The documents that meet all conditions. */
function matching(
  documents: readonly WireDocument[],
  texts: readonly string[],
  { collection, path, kind, tag, state, text = "" }: ListCall,
): WireDocument[] {
  const files = documents.map(({ shownPath }) => ({ path: shownPath })) as unknown as StoredFile[];
  const index = { files, fileMarks: () => new Uint8Array(files.length) };
  const mask = path === undefined ? undefined : fileMask(index, [filtersOf({ path })]);
  const wanted = folded(text);
  const isTag = (one: string) => one === tag || one.startsWith(`${tag}/`);
  return documents.filter((document, i) =>
    mask?.[i] !== 0 &&
    (collection === undefined || document.collection === collection) &&
    (kind === undefined || document.kind === kind) &&
    (state === undefined || document.state === state) &&
    (tag === undefined || document.tags.some(isTag)) &&
    (wanted === "" || texts[i]!.includes(wanted))
  );
}

/** Sorts by a key with `-` in front of it for the largest first; equal ones by their paths. Those without a value come last. */
function inOrder(documents: WireDocument[], sort: string): WireDocument[] {
  const isDown = sort.startsWith("-");
  const key = (isDown ? sort.slice(1) : sort) as typeof SORT_KEYS[number];
  const valueOf = (document: WireDocument) => key === "path" ? document.shownPath : document[key];
  return documents.sort((a, b) => {
    const [x, y] = [valueOf(a), valueOf(b)];
    if (x === y) return a.path < b.path ? -1 : 1;
    if (x === undefined || y === undefined) return x === undefined ? 1 : -1;
    return (x < y ? -1 : 1) * (isDown ? -1 : 1);
  });
}

/** Most values that are counted apart. */
const MOST_VALUES = 200;

function countsOf(values: readonly string[]): Count[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_VALUES);
}

function oneAnswer(
  { path, root, file, first, chunks }: DocumentDetails,
  { library }: PagesParts,
  language: Language,
): OneAnswer {
  const collection = library.collections.find((one) => one.root === root)!;
  const document = { ...documentOf(file, collection, language), path };
  return present({
    document,
    sha256: file.sha256,
    encoding: file.encoding,
    pageUnit: file.pageUnit,
    metadata: Object.entries(metadataFields(file.metadata)).flatMap(([name, value]) => fieldsOf(name, value)),
    losses: file.status === "indexed" ? lossesOf(file, language) : [],
    first,
    chunks: chunks.map(({ generated, ...chunk }): WireChunk => {
      if (generated === undefined) return chunk;
      const { title, summary, tags, questions, model } = generated;
      return { ...chunk, generated: present({ title, summary, tags, questions, model }) };
    }),
  });
}

/** A field of metadata as text; those of other names one by one. */
function fieldsOf(name: string, value: unknown): { readonly name: string; readonly value: string }[] {
  if (name === "extra") return Object.entries(value as object).flatMap(([name, one]) => fieldsOf(name, one));
  return [{ name, value: Array.isArray(value) ? value.join(", ") : String(value) }];
}

/** Lists the parts of a document that the text in the index lacks, or that may be wrong in it. */
function lossesOf(file: StoredFile, language: Language): Loss[] {
  const { format, rows, emptyPages = [], recognised = [], recognisedImages = [], refined, encoding } = file;
  const { unrecognised = [], unrecognisedImages = [], leftImages = 0, reason, images = [] } = file;
  const failure = (why: string) => reasonText({ reason: `recognition_${why}` }, language);
  const failures = (key: string, failed: readonly (readonly [number: number, reason: string])[]) =>
    Array.from(Map.groupBy(failed, ([, why]) => why), ([why, all]): Loss => ({
      key,
      count: all.length,
      at: pageList(all.map(([number]) => number)),
      reason: failure(why),
    }));
  const pages = (key: string, numbers: readonly number[]): Loss[] =>
    numbers.length === 0 ? [] : [{ key, count: numbers.length, at: pageList([...numbers]) }];
  return [
    ...(reason === undefined ? [] : [{ key: "earlier_text", reason: reasonText(file, language) }]),
    ...(format === undefined || contentOf(format as FormatName) === "text" ? [] : [{ key: "layout" }]),
    ...(rows === undefined ? [] : [{ key: "tables_as_text" }]),
    ...pages("pages_without_text", emptyPages),
    ...pages("recognised_pages", recognised),
    ...pages("recognised_pictures", recognisedImages.map(([image]) => image)),
    ...(file.recognition === "pending" ? [{ key: "recognition_pending" }] : []),
    ...failures("unrecognised_pages", unrecognised),
    ...failures("unrecognised_pictures", unrecognisedImages),
    ...(leftImages > 0 ? [{ key: "left_pictures", count: leftImages }] : []),
    ...(images.length > recognisedImages.length
      ? [{ key: "pictures_without_text", count: images.length - recognisedImages.length }]
      : []),
    ...(refined === undefined ? [] : [{ key: "refined", reason: refined }]),
    ...(encoding === undefined || /^utf-8$/i.test(encoding) ? [] : [{ key: "decoded", reason: encoding }]),
  ];
}

function picturesAnswer({ answer, contents, captions }: ServedPictures): PicturesAnswer {
  const bytes = contents.values();
  return {
    pictures: answer.pictures.map((picture): WirePicture => {
      const { number, page, width, height, problem, given, look } = picture;
      const image = given && { mediaType: given.mediaType, data: bytes.next().value!.toBase64() };
      return present({
        number,
        page,
        width,
        height,
        caption: picture.caption ?? picture.alt ?? captions?.get(number)?.text,
        problem: problem ?? (image === undefined ? look ?? "missing" : undefined),
        image,
      });
    }),
  };
}
