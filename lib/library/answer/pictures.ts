/** Answers about pictures: those of a document, one of them, and a page as a picture. */
import * as z from "zod";
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { ListedPicture } from "#documents/mod.ts";
import type { ServedPictures } from "#library/search/types.ts";
import { fittedPage, type Page, type TextAnswer } from "./shape.ts";
import { listedAnswer, quotedAnswer, type Quotes, untrusted } from "./quoted.ts";

/** The id of a picture: the path of its document and its number there, counted from 1. It stays as long as the document does. */
export function imageId(path: string, number: number): string {
  return `${path}#image=${number}`;
}

/** Returns the path and the number in an id of {@linkcode imageId}; `undefined` for another text. */
export function imageOfId(id: string): { readonly path: string; readonly number: number } | undefined {
  const [, path, number] = /^(.+)#image=(\d{1,6})$/s.exec(id.trim()) ?? [];
  return path === undefined ? undefined : { path, number: Number(number) };
}

/** Pictures in one answer at most; more would fill a model's context. */
const MAX_LISTED = 100;

export const DECLARED_PICTURES_DATA = z.looseObject({
  images: z.array(
    z.looseObject({ image_id: z.string(), width: z.int().optional(), height: z.int().optional() }),
  ),
});

/** Options of {@linkcode picturesAnswer}. */
interface PicturesOptions extends Page {
  readonly language: Language;
  /** Only the pictures of this page. Default: all. */
  readonly page?: number | undefined;
}

/** The answer with the pictures of a document: as many as fit its limit, at least one. */
export function picturesAnswer(
  { path, answer }: ServedPictures,
  { language, page: wanted, ...page }: PicturesOptions,
): TextAnswer<z.output<typeof DECLARED_PICTURES_DATA>> {
  const all = answer.pictures.filter((picture) => wanted === undefined || picture.page === wanted);
  const { offset } = page;
  return fittedPage(
    all.slice(offset, offset + MAX_LISTED),
    all.length,
    page,
    (shown, cursor) =>
      listedAnswer({
        data: present({
          images: shown.map((picture) => pictureData(path, picture)),
          image_count: all.length,
          not_listed: answer.more,
          next_cursor: cursor,
          file_path: path,
        }),
        head: (quotes) => [
          message(language, "images_listed", { path: quotes.name(path), count: all.length }),
        ],
        text: shown.length === 0
          ? undefined
          : shown.map((picture) => pictureLine(picture, language)).join("\n"),
        after: cursor === undefined ? [] : [message(language, "more_with_cursor", { cursor })],
      }, language),
  );
}

/** The facts about a picture, with the names of the contract. */
function pictureData(path: string, picture: ListedPicture) {
  const { number, section, mediaType, size, box, ...known } = picture;
  return present({
    image_id: imageId(path, number),
    number,
    ...known,
    position: box,
    media_type: mediaType,
    file_size: size,
    section: section.length > 0 ? section : undefined,
  });
}

/** `3  page 2, line 40  640 × 480 image/png  Figure 1 …`. */
function pictureLine(picture: ListedPicture, language: Language): string {
  const { number, page, line, cell, width, height, mediaType, alt, caption, section, problem, link } =
    picture;
  const place = [
    ...(page === undefined ? [] : [message(language, "page_number", { page })]),
    ...(cell === undefined ? [] : [cell]),
    message(language, "image_at_line", { line }),
  ].join(", ");
  const size = width === undefined || height === undefined ? "" : `${width} × ${height}`;
  const said = [caption, alt].filter((text) => text !== undefined && text !== "").join(" | ");
  return [
    `${number}`,
    place,
    [size, mediaType].filter((part) => part !== undefined && part !== "").join(" "),
    said === "" ? section.join(" > ") : said,
    link ?? "",
    problem === undefined ? "" : message(language, `image_problem_${problem}`),
  ].filter((part) => part !== "").join("  ");
}

export const DECLARED_PICTURE_DATA = z.looseObject({ file_path: z.string() });

/** The answer with one picture, whose bytes follow it, or with the reason why it is not shown. */
export function pictureAnswer(
  { path, answer, bytes }: ServedPictures,
  language: Language,
): TextAnswer<z.output<typeof DECLARED_PICTURE_DATA>> {
  const { pictures: [picture], given } = answer;
  const data = present({
    ...pictureData(path, picture!),
    given: given && present({
      media_type: given.mediaType,
      width: given.width,
      height: given.height,
      size: bytes.length,
      scaled: given.isScaled,
    }),
    file_path: path,
  });
  const head = (quotes: Quotes) =>
    given === undefined
      ? message(language, "image_not_given", {
        path: quotes.name(path),
        reason: message(language, `image_problem_${picture!.problem!}`),
      })
      : message(language, "image_given", { path: quotes.name(path) });
  return listedAnswer({
    data,
    head: (quotes) => [head(quotes)],
    text: pictureLine(picture!, language),
  }, language);
}

/** The answer with a page as a picture, whose bytes follow it. */
export function pagePictureAnswer(
  { path, answer, bytes }: ServedPictures,
  page: number,
  language: Language,
): TextAnswer<z.output<typeof DECLARED_PICTURE_DATA>> {
  const { given, pageCount } = answer;
  return {
    code: 200,
    message: message(language, "read_ok"),
    data: untrusted(
      present({
        file_path: path,
        page,
        pages: pageCount,
        media_type: given?.mediaType,
        width: given?.width,
        height: given?.height,
        size: bytes.length,
      }),
      language,
    ),
    text: quotedAnswer((quotes) =>
      message(language, "page_image_given", { path: quotes.name(path), page, count: pageCount ?? page })
    ),
  };
}
