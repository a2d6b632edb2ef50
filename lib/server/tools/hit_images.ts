/**
 * Images that passages are or refer to.
 */
import { dirname, extname, resolve } from "node:path";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { UserError } from "#foundation/errors.ts";
import { type Language, message } from "#foundation/messages/mod.ts";
import type { Library } from "#library/search/mod.ts";
import { imageReferences as referencesIn, localPath } from "#documents/mod.ts";

/** Most images of an answer, most bytes of one, and of all together. Base64 adds a third. */
const MOST_IMAGES = 5, MOST_BYTES = 2_000_000, MOST_BYTES_TOGETHER = 5_000_000;
/** References that are followed: a page of icons is no reason to open hundreds of files. */
const MOST_REFERENCES = 50;

interface ImagePassage {
  readonly id: number;
  readonly source: string;
  readonly text: string;
}

interface ShownImage {
  /** Number of the passage that it belongs to. */
  readonly citation: number;
  readonly path: string;
  readonly "media_type": string;
}

interface HitImages {
  /** In the order of `content`. */
  readonly images: readonly ShownImage[];
  readonly content: CallToolResult["content"];
  /** Sentences on the images that were left out. */
  readonly notices: readonly string[];
}

/**
 * Returns the images that passages are, or that they refer to by a local path: PNG, JPEG, GIF and WebP files of the served
 * folders, the same that `get_document_original` may read. Each is given once, up to 5 of 2 MB each and 5 MB together.
 */
export async function imagesOf(
  passages: readonly ImagePassage[],
  library: Library,
  language: Language,
  signal: AbortSignal,
): Promise<HitImages> {
  const images: ShownImage[] = [];
  const content: CallToolResult["content"] = [];
  let [bytesTogether, tooMany, tooLarge] = [0, 0, 0];
  for (const { citation, path } of await wantedOf(passages, library, signal)) {
    signal.throwIfAborted();
    if (images.length === MOST_IMAGES || bytesTogether >= MOST_BYTES_TOGETHER) {
      tooMany++;
      continue;
    }
    try {
      const { bytes, path: real } = await library.readOriginal(path, MOST_BYTES, signal);
      const type = imageType(bytes);
      if (type === undefined || images.some((image) => image.path === real)) continue;
      if (bytesTogether + bytes.length > MOST_BYTES_TOGETHER) {
        tooMany++;
        continue;
      }
      bytesTogether += bytes.length;
      images.push({ citation, path: real, "media_type": type });
      content.push({ type: "image", data: bytes.toBase64(), mimeType: type });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // A reference to a file that is not there, or that the client may not read.
      if (error.key === "file_too_large") tooLarge++;
    }
  }
  const citations = images.map(({ citation }) => citation);
  const count = new Set(citations).size;
  return {
    images,
    content,
    notices: [
      ...(images.length === 0
        ? []
        : [message(language, "images_given", { list: citations.join(", "), count })]),
      ...(tooMany === 0 ? [] : [message(language, "images_left_out", { count: tooMany, most: MOST_IMAGES })]),
      ...(tooLarge === 0 ? [] : [message(language, "images_too_large", { count: tooLarge })]),
    ],
  };
}

async function wantedOf(
  passages: readonly ImagePassage[],
  library: Library,
  signal: AbortSignal,
): Promise<{ readonly citation: number; readonly path: string }[]> {
  const wanted = new Map<string, number>();
  const pages = new Map<string, readonly HtmlImage[]>();
  for (const { id, source, text } of passages) {
    signal.throwIfAborted();
    const own = hasImageName(source) ? [source] : await referencesOf(source, text, library, pages);
    for (const path of own) {
      if (wanted.size < MOST_REFERENCES && !wanted.has(path)) wanted.set(path, id);
    }
  }
  return Array.from(wanted, ([path, citation]) => ({ citation, path }));
}

/** The paths that a passage refers to. `pages`: the images of the HTML pages that were read before. */
async function referencesOf(
  source: string,
  text: string,
  library: Library,
  pages: Map<string, readonly HtmlImage[]>,
): Promise<string[]> {
  const isHtml = /\.x?html?$/i.test(source);
  if (isHtml && !pages.has(source)) pages.set(source, htmlImages(await sourceText(source, library)));
  const references = isHtml
    ? pages.get(source)!.filter(({ alternative }) => alternative !== "" && text.includes(alternative))
      .map(({ reference }) => reference)
    : imageReferences(text);
  return references.filter(hasImageName).map((reference) => resolve(dirname(source), reference));
}

async function sourceText(path: string, library: Library): Promise<string> {
  try {
    return (await library.readRawFile(path)).text;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return "";
  }
}

function hasImageName(path: string): boolean {
  return [".png", ".jpg", ".jpeg", ".gif", ".webp"].includes(extname(path).toLowerCase());
}

/** The media type of an image by its first bytes; `undefined` for all other files. */
function imageType(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith("\x89PNG")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF8")) return "image/gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "image/webp" : undefined;
}

interface HtmlImage {
  readonly reference: string;
  /** The alternative text, with single spaces. */
  readonly alternative: string;
}

/** The local paths of the images that a text refers to, relative to its file, in the order of the text. */
export function imageReferences(text: string): string[] {
  return referencesIn(text).flatMap(({ reference }) => localPath(reference) ?? []);
}

/** UTF-16 units of an HTML source that are searched for images. */
const MAX_HTML = 1_000_000;

/** The local images of an HTML source. */
export function htmlImages(source: string): HtmlImage[] {
  return Array.from(source.slice(0, MAX_HTML).matchAll(/<img\b[^<>]{0,2000}>/gi), ([tag]) => {
    const reference = localPath(attribute(tag, "src"));
    const alternative = attribute(tag, "alt").replace(/\s+/g, " ").trim();
    return reference === undefined ? [] : [{ reference, alternative }];
  }).flat();
}

function attribute(tag: string, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(tag);
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? "")
    .replace(/&(amp|quot|lt|gt|#39);/g, (_, entity: string) => ENTITIES[entity]!);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", quot: '"', lt: "<", gt: ">", "#39": "'" };
