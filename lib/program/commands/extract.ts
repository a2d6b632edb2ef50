/**
 * The command `extract`: the text of documents as it would be indexed,
 * as Markdown or with its facts as JSON.
 */
import { basename, dirname, resolve } from "node:path";
import {
  type Document,
  isPictureName,
  mayHoldPictures,
  metadataFields,
  pagesToRecognise,
  type ReadDocument,
  recognisedImages,
  typeByName,
} from "#documents/mod.ts";
import { FolderFiles, listInside } from "#library/archives/mod.ts";
import { present } from "#foundation/present.ts";
import { UserError } from "#foundation/errors.ts";
import { readLanguageData, Recogniser } from "#library/ingest/mod.ts";
import { pageList, printableText } from "#foundation/messages/mod.ts";
import { fileError, readNamed, statNamed } from "#foundation/boundary/mod.ts";
import { abortable, EXIT } from "../context.ts";
import { errorText, printableMessage, warn } from "../say.ts";
import type { Session } from "../request.ts";
import { styleFor } from "../terminal_text.ts";

/** A line of `extract --json`. */
interface Extracted extends Partial<ReturnType<typeof metadataFields>> {
  /** As named on the command line. */
  readonly file: string;
  readonly title?: string;
  readonly format?: string;
  /** Number of pages; absent where the format has none. */
  readonly pages?: number;
  readonly "empty_pages"?: readonly number[];
  readonly "recognised_pages"?: readonly number[];
  readonly "recognised_images"?: readonly number[];
  readonly markdown: string;
  readonly sections: readonly { readonly level: number; readonly title: string; readonly page?: number }[];
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * `extract FILE...`: the Markdown of documents as it would be indexed, with `--json` one line of JSON for each file. An archive gives the
 * list of its files, and then what each of the documents in it gives; `archive.zip/inner.docx` names one of them.
 */
export async function extract(session: Session): Promise<number> {
  const { io, flags, language, operands, named, signal, config, extractor } = session;
  const pictures = config.files.ocr !== "off";
  const maxBytes = config.files.max_file_mb * 1_000_000;
  let failed = false;
  let printed = 0;
  const show = async (name: string, extracted: () => Promise<Extracted>) => {
    let line: Extracted;
    try {
      line = await abortable(extracted(), signal);
      if (line.empty_pages !== undefined) {
        const pages = pageList(line.empty_pages);
        warn(session, "cli_extract_empty_pages", { path: name, pages, count: line.empty_pages.length });
      }
    } catch (error) {
      signal.throwIfAborted();
      failed = true;
      const code = error instanceof UserError ? error.key : "internal_error";
      const text = errorText(error, language, false);
      const isNamed = text.includes(name);
      const message = isNamed ? text : printableMessage(language, "cli_dir_error", { text, dir: name });
      line = { file: name, markdown: "", sections: [], error: { code, message } };
      if (!flags.json) {
        io.err(`${styleFor(io, "stderr").red(printableMessage(language, "cli_error", { text: message }))}\n`);
      }
    }
    if (flags.json) await io.out(`${JSON.stringify(line)}\n`);
    else if (line.error === undefined) {
      await io.out(`${printed++ > 0 ? "\n" : ""}${printableText(line.markdown)}`);
    }
    return line;
  };
  for (const [at, name] of operands.entries()) {
    const path = named[at]!;
    const within = resolve(io.cwd, name).slice(path.length + 1).replaceAll("\\", "/");
    if (within !== "") {
      const inner = `${basename(path)}/${within}`;
      const shownBefore = name.slice(0, -inner.length);
      const folder = new FolderFiles(dirname(path), { extractor, maxBytes, signal, shownBefore });
      await show(
        name,
        async () => await extractBytes(session, name, inner, (await folder.read(inner)).bytes),
      );
      continue;
    }
    const { format } = await show(name, () => extractFile(session, name, path));
    if (format !== "archive" || config.files.archives === "skip") continue;
    const inside = await listedFiles(session, path).catch(() => []);
    const shownBefore = name.slice(0, -basename(path).length);
    const folder = new FolderFiles(dirname(path), {
      extractor,
      maxBytes,
      signal,
      shownBefore,
      expected: inside,
    });
    for (const { path: inner, size } of inside) {
      if (size === 0 || typeByName(inner) === "binary" && !(pictures && isPictureName(inner))) continue;
      const shown = `${name}${inner.slice(basename(path).length)}`;
      await show(
        shown,
        async () => await extractBytes(session, shown, inner, (await folder.read(inner)).bytes),
      );
    }
  }
  return failed ? EXIT.failed : EXIT.done;
}

/** The files in an archive, with the path of each below the folder of the archive. */
async function listedFiles({ config, extractor, signal }: Session, path: string) {
  const within = basename(path);
  const maxBytes = config.files.max_file_mb * 1_000_000;
  const { entries } = await listInside(await readNamed(path), within, { extractor, maxBytes, signal });
  return entries.map((entry) => ({ path: `${within}/${entry.path}`, size: entry.size, within }));
}

async function extractFile(session: Session, name: string, path: string): Promise<Extracted> {
  const { max_file_mb: limit } = session.config.files;
  try {
    const { size, isFile } = await statNamed(path);
    if (!isFile) throw new UserError("not_a_file", { path });
    if (size > limit * 1_000_000) {
      throw new UserError("file_too_large", { path, size: size / 1_000_000, limit });
    }
    return await extractBytes(session, name, path, await readNamed(path));
  } catch (error) {
    throw fileError(error, path);
  }
}

async function extractBytes(
  session: Session,
  name: string,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Extracted> {
  const { flags, config, extractor } = session;
  const { encoding } = config.files;
  try {
    const file = present({ path, encoding: encoding === "auto" ? undefined : encoding });
    const pictures = config.files.ocr !== "off";
    const ignoreImages = config.chunking.ignore_images || undefined;
    const read = await extractor.read(bytes, { ...file, pictures, ...present({ ignoreImages }) });
    const { document, format } = await recognised(session, { bytes, file, read });
    const part = flags.page === undefined ? document : pageOf(document, flags.page, path);
    const { title, pages, emptyPages, recognised: recognisedPages, images, metadata } = document;
    return {
      file: name,
      ...present({ title, format, pages: pages?.length }),
      ...present({ empty_pages: emptyPages, recognised_pages: recognisedPages }),
      ...present({ recognised_images: recognisedImages(images) }),
      ...metadataFields(metadata),
      markdown: part.text,
      sections: part.sections.map(({ level, title, start }) => ({
        level,
        title,
        ...pageAt(document, start),
      })),
    };
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Returns the document with the text of its scanned pages and pictures, where `files.ocr` asks for it and the data is installed. */
async function recognised(
  session: Session,
  { read, ...document }: Omit<Parameters<Recogniser["complete"]>[0], "sha256">,
): Promise<ReadDocument> {
  const { config, extractor, modelsDir, signal } = session;
  const isScan = pagesToRecognise(read.document, read.format).length > 0 ||
    mayHoldPictures(read.document, read.format);
  if (config.files.ocr === "off" || !isScan) return read;
  const languages = await readLanguageData(modelsDir).catch((error) => {
    if (!(error instanceof UserError) || error.key !== "ocr_data_unusable") throw error;
    warn(session, error.key, error.params);
    return undefined;
  });
  // Nothing is kept between runs.
  const texts = { get: () => Promise.resolve(undefined), set: () => Promise.resolve() };
  return await new Recogniser({ texts, extractor, languages, signal }).complete({
    ...document,
    sha256: "",
    read,
  });
}

/** The text of one page, with the sections that begin on it. */
function pageOf(document: Document, number: number, path: string): Pick<Document, "text" | "sections"> {
  const { pages, sections, text } = document;
  if (pages === undefined) throw new UserError("document_without_pages", { path });
  const page = pages.find((page) => page.number === number);
  if (page === undefined) {
    throw new UserError("document_no_such_page", { path, page: number, pages: pages.length });
  }
  return {
    text: text.slice(page.start, page.end),
    sections: sections.filter(({ start }) => start >= page.start && start < page.end),
  };
}

function pageAt({ pages = [] }: Document, offset: number): { page?: number } {
  const page = pages.findLast(({ start }) => start <= offset);
  return page === undefined ? {} : { page: page.number };
}
