/**
 * Chooses how a file is read: as a picture, by the loader of its format, or as a text that keeps its form.
 * Below it: the outline of such a text, by its extension or its beginning: markup, source code, data or a log.
 */
import { isDrawingName, looksBinary } from "./classify.ts";
import { codeKind } from "./code/languages.ts";
import { loadCode } from "./code/outline.ts";
import { bytesToText } from "./decode.ts";
import { contentOf, type FormatName, formatOf, loaderOfFormat, PICTURE } from "./formats.ts";
import {
  byName,
  type Document,
  DocumentError,
  extensionOf,
  type FileName,
  fileName,
  given,
  type TextLoader,
} from "./types.ts";
import { isPicture, pictureDocument } from "./recognition/request.ts";
import {
  loadJson,
  loadJsonLines,
  loadLog,
  loadTables,
  loadXml,
  loadYaml,
  looksLikeLog,
} from "./text/data.ts";
import { withFrontMatter } from "./text/front_matter.ts";
import { loadMarkdown } from "./text/markdown.ts";
import { loadAsciiDoc, loadLatex, loadOrg, loadRestructuredText } from "./text/markup.ts";

/** A document, and the way in which it was read. */
export interface ReadDocument {
  readonly document: Document;
  /** `image` for a picture, `text` for a decoded text that is kept as it is, `code` if it is source code. */
  readonly format: FormatName | "text" | "image";
  /** Encoding of a decoded text. Absent if a loader read the document. */
  readonly encoding?: string;
}

/** Reads a document with the loader of its format, perhaps elsewhere. Rejects with {@linkcode DocumentError}. */
export type RunLoader = (
  format: FormatName | typeof PICTURE,
  bytes: Uint8Array,
  file: FileName,
) => Promise<Document>;

/** See {@linkcode import("./mod.ts").readDocument}. */
export async function read(
  bytes: Uint8Array,
  file: FileName,
  run: RunLoader = runHere,
): Promise<ReadDocument> {
  const isShown = file.pictures === true && isPicture(bytes);
  if (isShown && !isDrawingName(file.path)) return await readPicture(bytes, file, run);
  const format = formatOf(bytes, file.path);
  if (format === undefined) return await readText(bytes, file, run);
  if (contentOf(format) === "text" && looksBinary(bytes, true)) {
    throw new DocumentError("not_text", "it is not text");
  }
  try {
    const document = await run(format, bytes, file);
    // A picture may lack the drawing that its name promises.
    if (!isShown || document.text !== "") return { document, format };
  } catch (error) {
    // A web page or table that its loader cannot read is still a text.
    const isText = error instanceof DocumentError && contentOf(format) !== "binary" &&
      error.problem !== "encrypted" && error.problem !== "too_complex";
    if (!isText || !isShown && isPicture(bytes)) throw error;
    if (!isShown) return await readText(bytes, file, run);
  }
  return await readPicture(bytes, file, run);
}

async function readPicture(bytes: Uint8Array, file: FileName, run: RunLoader): Promise<ReadDocument> {
  // Metadata that cannot be read is no reason to leave out the text.
  const { title, metadata } = await run(PICTURE, bytes, file).catch((): Partial<Document> => ({}));
  return { document: { ...pictureDocument(bytes), ...given({ title, metadata }) }, format: "image" };
}

async function runHere(
  format: FormatName | typeof PICTURE,
  bytes: Uint8Array,
  file: FileName,
): Promise<Document> {
  // A buffer of Node is a subclass that does not copy when it is cut.
  const plain = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  return await (await loaderOfFormat(format))!.load(plain, file);
}

async function readText(
  bytes: Uint8Array,
  { path, encoding: forced }: FileName,
  run: RunLoader,
): Promise<ReadDocument> {
  const { text, encoding } = await bytesToText(bytes, { path, encoding: forced });
  const kind = codeKind(path, text);
  if (kind === undefined) return { document: loadDocument(path, text), format: "text", encoding };
  const parsed = kind === "other"
    ? undefined
    : await run("code", bytes, { path, encoding }).catch((error) => {
      if (error instanceof DocumentError) return undefined;
      throw error;
    });
  const document = parsed?.text === text ? parsed : loadDocument(path, text);
  return { document, format: "code", encoding };
}

const markdown = withFrontMatter(loadMarkdown, true);

/** Loaders of markup by extension. */
const MARKUP = byName<TextLoader>({
  "md markdown mdown mkd mkdn mdx mdc qmd rmd": markdown,
  "rst rest": withFrontMatter(loadRestructuredText),
  "adoc asciidoc asc": withFrontMatter(loadAsciiDoc),
  org: withFrontMatter(loadOrg),
  "tex latex": loadLatex,
});

/** Loaders of data and logs by extension. */
const DATA = byName<TextLoader>({
  "json jsonc json5 geojson webmanifest har": loadJson,
  "jsonl ndjson": loadJsonLines,
  "yaml yml": loadYaml,
  "xml xsd xsl xslt rss atom opml plist config csproj vbproj fsproj props targets resx xaml wsdl pom kml gpx":
    loadXml,
  "toml ini cfg conf desktop editorconfig service reg properties": loadTables,
  log: loadLog,
});

/** Matches `README`, also with a language: `README.zh`, `README_zh-CN`. */
const README = /^readme(?:[._-](?:zh|cn|tw|en|ja|jp|ko|kr|de|fr|es|pt|ru|it)(?:[-_][a-z]{2,4})?)?$/i;

/**
 * Returns a decoded text with its outline. The extension of `path` (with either separator) decides the format; a README
 * without an extension is Markdown. Source code is outlined by its keywords and indentation. Takes linear time and copies no
 * lines.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { sections } = loadDocument("notes.md", "# Keys\n\n## Rotation\n\nEvery 90 days.\n");
 * equal(sections[1]?.path.join(" > "), "Keys > Rotation");
 * ```
 */
export function loadDocument(path: string, text: string): Document {
  const markup = MARKUP.get(extensionOf(path));
  if (markup !== undefined) return markup(text);
  if (README.test(fileName(path))) return markdown(text);
  if (codeKind(path, text) !== undefined) return loadCode(path, text);
  const load = dataLoader(path, text) ?? withFrontMatter((plain) => ({ text: plain, sections: [] }));
  return load(text);
}

/** Matches the beginning of JSON and XML in files with other extensions: `.conf`, `.config`, `.txt`. */
const DATA_STARTS: readonly [RegExp, TextLoader][] = [
  [/^\s*(?:\{\s*["}]|\[\s*[[{"\d\]])/, loadJson],
  [/^\s*<\?xml\s/, loadXml],
];

/**
 * Returns the loader for data and logs by the extension of `path` and by the beginning of the text, or `undefined` for other
 * texts. Rotated logs (`app.log.1`) are logs, and so are texts in which most lines have a time.
 */
export function dataLoader(path: string, text: string): TextLoader | undefined {
  const name = fileName(path).toLowerCase();
  const extension = name.slice(name.lastIndexOf(".") + 1);
  if (/\.log(?:[._-][\w-]+)*$/.test(name)) return loadLog;
  const byName = DATA.get(extension);
  const isOpen = byName === undefined || byName === loadTables || byName === loadXml;
  if (isOpen) {
    const head = text.slice(0, 200);
    // `[section]` in an INI file is not an array.
    const begun = DATA_STARTS.find(([start]) => start.test(head))?.[1];
    if (begun !== undefined && !(byName !== undefined && head.trimStart().startsWith("["))) {
      return begun === loadXml && byName === undefined && !["txt", name].includes(extension)
        ? undefined
        : begun;
    }
    if (byName === undefined && ["txt", "out", "text", name].includes(extension) && looksLikeLog(text)) {
      return loadLog;
    }
  }
  return byName;
}
