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
  picturesAnswer,
} from "#library/answer/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { ServedPictures } from "#library/search/mod.ts";
import { argument, defineTool, pageOf, type ToolAnswer, type ToolCall, UNLISTED_PAGE } from "../tool.ts";
import { resourceLink } from "../resources.ts";
import { withReadProgress } from "./reading_tools.ts";

/** Pixels of the longer side of a picture, unless the call says otherwise, and at most. */
const SIDE = 1_000, MOST_SIDE = 3_000;
/** Bytes of a picture at most. Base64 adds a third. */
const MOST_BYTES = 1_500_000;

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
    return picturesAnswer(read, { language, page, ...pageOf(input, call) });
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
    if (path === undefined) throw new UserError("image_not_named");
    const number = named?.number ?? asked ?? 1;
    const { library, language, log } = call;
    const request = { want: "picture", number, side, bytes: MOST_BYTES } as const;
    const read = await withReadProgress(library.readPictures(path, request, signal), path, call);
    log.info("get_image", { path: read.path, number, bytes: read.bytes.length });
    if (read.answer.pictures.length === 0) {
      throw new UserError("image_not_found", { path: read.path, number });
    }
    return withPicture(pictureAnswer(read, language), read, call);
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
    const read = await withReadProgress(library.readPictures(path, request, signal), path, call);
    log.info("get_page_image", { path: read.path, page, bytes: read.bytes.length });
    const { given, pageCount = 0 } = read.answer;
    if (given === undefined) {
      throw new UserError("document_no_such_page", { path: read.path, page, pages: pageCount });
    }
    return withPicture(pagePictureAnswer(read, page, language), read, call);
  },
});

/** Adds a picture to an answer, and a link to its document. */
function withPicture<Data>(
  answer: ToolAnswer<Data>,
  { answer: { given }, bytes, path }: ServedPictures,
  { links, library }: ToolCall,
): ToolAnswer<Data> {
  if (given === undefined) return answer;
  const link = links ? resourceLink(path, library.collections) : undefined;
  return {
    ...answer,
    more: [
      { type: "image", data: bytes.toBase64(), mimeType: given.mediaType },
      ...(link === undefined ? [] : [link]),
    ],
  };
}
