/**
 * The tools that show pictures: those in documents, and pages of PDFs.
 */
import * as z from "zod";
import {
  DECLARED_PICTURE_DATA,
  DECLARED_PICTURES_DATA,
  imageOfId,
  pagePictureAnswer,
  pictureAnswer,
  pictureName,
  picturesAnswer,
  readPicture,
} from "#library/answer/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import type { GivenPicture } from "#documents/mod.ts";
import type { ServedPictures } from "#library/search/mod.ts";
import type { ResourceLink } from "@modelcontextprotocol/server";
import { argument, defineTool, pageOf, type ToolCall, UNLISTED_PAGE } from "../tool.ts";
import { linksWithin, PICTURE_LIMIT, resourceLink } from "../resources.ts";
import { withReadProgress } from "./reading_tools.ts";

/** Pixels of the longer side of a picture at most. */
const MOST_SIDE = 3_000;
const { side: SIDE, bytes: MOST_BYTES } = PICTURE_LIMIT;

/** The pictures in a document: their places, sizes and captions. */
export const listImages = defineTool({
  input: {
    file_path: argument(z.string().min(1), "arg_file_path"),
    page: argument(z.int().min(1).optional(), "arg_page"),
    ...UNLISTED_PAGE,
  },
  output: DECLARED_PICTURES_DATA,
  async run(input, call, signal) {
    const { file_path: path, page } = input;
    const { library, language, log } = call;
    const read = await withReadProgress(library.readPictures(path, { want: "list" }, signal), path, call);
    log.info("list_images", { path: read.path, images: read.answer.pictures.length });
    const part = pageOf(input, call);
    const answer = picturesAnswer(read, { language, page, ...part });
    const links = read.answer.pictures.slice(part.offset, part.offset + answer.data.images.length)
      .filter(({ problem }) => problem === undefined)
      .flatMap(({ number, mediaType }) => pictureLink(read, number, mediaType, call));
    return { ...answer, more: linksWithin(links, part.limit.maxTokens).links };
  },
});

/** A picture in a document, scaled down if it is large. */
export const getImage = defineTool({
  input: {
    "image_id": argument(z.string().min(1).optional(), "arg_image_id"),
    file_path: argument(z.string().min(1).optional(), "arg_file_path"),
    number: argument(z.int().min(1).optional(), "arg_image_number"),
    "max_side": argument(z.int().min(16).max(MOST_SIDE).optional(), "arg_max_side"),
  },
  output: DECLARED_PICTURE_DATA,
  async run({ image_id: id, file_path: file, number: asked, max_side: side = SIDE }, call, signal) {
    const named = id === undefined ? undefined : imageOfId(id);
    const path = named?.path ?? file ?? id;
    const isWrongId = named === undefined && id !== undefined && /[#?]image=|^\s*\d+\s*$/i.test(id);
    if (path === undefined || isWrongId) throw new UserError("image_not_named");
    const wanted = named ?? { number: asked ?? 1 };
    const { library, language, log } = call;
    const request = { want: "pictures", numbers: [wanted.number], side, bytes: MOST_BYTES } as const;
    const read = await withReadProgress(library.readPictures(path, request, signal), path, call);
    const picture = readPicture(read, wanted);
    const { given } = picture;
    log.info("get_image", { path: read.path, number: wanted.number, bytes: given?.size });
    const answer = pictureAnswer(read, picture, language);
    if (given === undefined) return answer;
    const link = pictureLink(read, wanted.number, given.mediaType, call);
    return { ...answer, more: [imageContent(read.contents[0]!, given), ...link] };
  },
});

/** A page of a PDF as a picture. */
export const getPageImage = defineTool({
  input: {
    file_path: argument(z.string().min(1), "arg_file_path"),
    page: argument(z.int().min(1), "arg_page"),
    width: argument(z.int().min(16).max(MOST_SIDE).optional(), "arg_width"),
  },
  output: DECLARED_PICTURE_DATA,
  async run({ file_path: path, page, width = SIDE }, call, signal) {
    const { library, language, log } = call;
    const request = { want: "page", number: page, width, bytes: MOST_BYTES } as const;
    const reading = library.readPictures(path, request, signal).catch(ofOtherFormat);
    const read = await withReadProgress(reading, path, call);
    const { given, pageCount = 0 } = read.answer;
    log.info("get_page_image", { path: read.path, page, bytes: given?.size });
    if (given === undefined) {
      throw new UserError("document_no_such_page", { path: read.path, page, pages: pageCount });
    }
    const link = call.links ? resourceLink(read.path, library.collections) : undefined;
    return {
      ...pagePictureAnswer(read, page, language),
      more: [imageContent(read.contents[0]!, given), ...(link === undefined ? [] : [link])],
    };
  },
});

/** Rethrows the error for a document whose format has no pages to draw. */
function ofOtherFormat(error: unknown): never {
  const isOther = error instanceof UserError && error.key === "document_unsupported";
  throw isOther ? new UserError("page_image_of_pdf", error.params, { cause: error }) : error;
}

function imageContent(bytes: Uint8Array, { mediaType }: GivenPicture) {
  return { type: "image" as const, data: bytes.toBase64(), mimeType: mediaType };
}

/** A link to the resource of a picture, if the client may receive links. */
function pictureLink(
  { path, sha256 }: ServedPictures,
  number: number,
  mediaType: string | undefined,
  { links, library }: ToolCall,
): ResourceLink[] {
  const link = links ? resourceLink(path, library.collections, pictureName(number, sha256)) : undefined;
  return link === undefined ? [] : [present({ ...link, mimeType: mediaType })];
}
