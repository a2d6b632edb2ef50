/** Answers about pictures: those of a document, one of them, and a page as a picture. */
import * as z from "zod";
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { PictureCaption } from "#engine/index/mod.ts";
import type { GivenPicture, ListedPicture } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { ServedPictures } from "#library/search/types.ts";
import { fittedPage, type Page, type TextAnswer } from "./shape.ts";
import { listedAnswer, quotedAnswer, type Quotes, untrusted } from "./quoted.ts";

/** A picture of a document, and the state of the document in which it has this number. */
export interface NamedPicture {
  /** Counted from 1. */
  readonly number: number;
  /** The first digits of the SHA-256 of the document's bytes. Absent: any state. */
  readonly print?: string;
}

/** Digits of a print. A document has few states, and nobody gains by making two alike. */
const PRINT_DIGITS = 8;

/** Names a picture within its document: `3.1a2b3c4d`. `sha256`: that of the document's bytes. */
export function pictureName(number: number, sha256: string): string {
  return `${number}.${sha256.slice(0, PRINT_DIGITS)}`;
}

/** Reads a name of {@linkcode pictureName}, also without the print; `undefined` for another text. */
export function pictureNamed(name: string): NamedPicture | undefined {
  const [, number, print] = /^0*([1-9]\d{0,5})(?:\.([\da-f]{8}))?$/.exec(name.trim()) ?? [];
  return number === undefined ? undefined : present({ number: Number(number), print });
}

/** The id of a picture: the path of its document, and its name there. It names nothing else when the document has changed. */
function imageId(path: string, number: number, sha256: string): string {
  return `${path}#image=${pictureName(number, sha256)}`;
}

/** Reads an id of {@linkcode imageId}, or the address of a picture; `undefined` for another text. */
export function imageOfId(id: string): NamedPicture & { readonly path: string } | undefined {
  const [, path, name] = /^(muxue:.+(?=\?)|.+(?=#))[?#]image=([^#?]+)$/is.exec(id.trim()) ?? [];
  const picture = name === undefined ? undefined : pictureNamed(name);
  return picture === undefined ? undefined : { path: path!, ...picture };
}

/** The ids of pictures by their numbers. */
export function imageRefs(
  path: string,
  { images, sha256 }: { readonly images?: readonly number[]; readonly sha256?: string },
): string[] | undefined {
  return sha256 === undefined ? undefined : images?.map((number) => imageId(path, number, sha256));
}

/**
 * Returns the picture that was asked for, as it was read. Throws `UserError` `image_changed` if the document has changed since it got its
 * number, and `image_not_found`.
 */
export function readPicture(
  { path, sha256, answer }: ServedPictures,
  { number, print }: NamedPicture,
): ListedPicture {
  if (print !== undefined && !sha256.startsWith(print)) throw new UserError("image_changed", { path });
  const [picture] = answer.pictures;
  if (picture === undefined) throw new UserError("image_not_found", { path, number });
  return picture;
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
  { path, sha256, answer, captions }: ServedPictures,
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
          images: shown.map((picture) => pictureData(path, picture, sha256, captions)),
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
          : shown.map((picture) => pictureLine(picture, captions, language)).join("\n"),
        after: cursor === undefined ? [] : [message(language, "more_with_cursor", { cursor })],
      }, language),
  );
}

/** The facts about a picture, with the names of the contract. */
function pictureData(
  path: string,
  picture: ListedPicture,
  sha256: string,
  captions: ServedPictures["captions"],
) {
  const { number, section, mediaType, size, box, share: _share, given: _, ...known } = picture;
  return present({
    image_id: imageId(path, number, sha256),
    number,
    ...known,
    position: box,
    media_type: mediaType,
    file_size: size,
    section: section.length > 0 ? section : undefined,
    ...captionData(captions?.get(number)),
  });
}

/** A model's words about a picture. They are no part of the document, so they have a place of their own. */
function captionData(caption: PictureCaption | undefined) {
  return caption && present({ generated_caption: caption.text, unconfirmed_numbers: caption.unconfirmed });
}

/** The same as a text, with a mark in front. */
function captionText(caption: PictureCaption | undefined, language: Language): string {
  if (caption === undefined) return "";
  const { text, unconfirmed } = caption;
  const marks = unconfirmed === undefined
    ? message(language, "image_generated")
    : message(language, "image_generated_numbers", { list: unconfirmed.join(", ") });
  return `[${marks}] ${text}`;
}

/** `3  page 2, line 40  640 × 480 image/png  Figure 1 …`. `name`: what stands first. */
function pictureLine(
  picture: ListedPicture,
  captions: ServedPictures["captions"],
  language: Language,
  name = String(picture.number),
): string {
  const { page, line, cell, width, height, mediaType, alt, caption, section, problem, link } = picture;
  const place = [
    ...(page === undefined ? [] : [message(language, "page_number", { page })]),
    ...(cell === undefined ? [] : [cell]),
    message(language, "image_at_line", { line }),
  ].join(", ");
  const size = width === undefined || height === undefined ? "" : `${width} × ${height}`;
  const said = [caption, alt].filter((text) => text !== undefined && text !== "").join(" | ");
  return [
    name,
    place,
    [size, mediaType].filter((part) => part !== undefined && part !== "").join(" "),
    said === "" ? section.join(" > ") : said,
    captionText(captions?.get(picture.number), language),
    link ?? "",
    problem === undefined ? "" : message(language, `image_problem_${problem}`),
  ].filter((part) => part !== "").join("  ");
}

export const DECLARED_PICTURE_DATA = z.looseObject({ file_path: z.string() });

/** The answer with one picture, whose bytes follow it, or with the reason why it is not shown. */
export function pictureAnswer(
  { path, sha256, captions }: ServedPictures,
  picture: ListedPicture,
  language: Language,
): TextAnswer<z.output<typeof DECLARED_PICTURE_DATA>> {
  const { given } = picture;
  const data = present({
    ...pictureData(path, picture, sha256, captions),
    given: given && givenData(given),
    file_path: path,
  });
  const head = (quotes: Quotes) =>
    given === undefined
      ? message(language, "image_not_given", {
        path: quotes.name(path),
        reason: message(language, `image_problem_${picture.problem!}`),
      })
      : message(language, "image_given", { path: quotes.name(path) });
  return listedAnswer({
    data,
    head: (quotes) => [head(quotes)],
    text: pictureLine(picture, captions, language),
  }, language);
}

/** A picture that is given beside the passage that it belongs to. */
export interface GivenImage extends Pick<ServedPictures, "path" | "sha256" | "captions"> {
  /** Number of the passage. */
  readonly citation: number;
  readonly picture: ListedPicture;
  readonly given: GivenPicture;
  readonly bytes: Uint8Array;
}

/** The facts about a picture beside a passage, with the names of the contract. The size is that of what is given. */
export function givenImageData({ citation, path, sha256, captions, picture, given }: GivenImage) {
  const { number, page, cell, alt, caption, section } = picture;
  return present({
    citation,
    image_id: imageId(path, number, sha256),
    path,
    page,
    cell,
    alt,
    caption,
    section: section.length > 0 ? section : undefined,
    ...captionData(captions?.get(number)),
    ...givenData(given),
  });
}

/** A quoted line for each of the pictures beside passages: where it is from, and its caption. */
export function givenImagesText(images: readonly GivenImage[], language: Language): string[] {
  if (images.length === 0) return [];
  const lines = images.map(({ citation, path, sha256, captions, picture }) =>
    pictureLine(picture, captions, language, `[${citation}] ${imageId(path, picture.number, sha256)}`)
  );
  return [
    quotedAnswer((quotes) =>
      [message(language, "quoted_content", { tag: quotes.tag }), quotes.text(lines.join("\n"))].join("\n")
    ),
  ];
}

function givenData({ mediaType, width, height, size, isScaled }: GivenPicture) {
  return present({ media_type: mediaType, width, height, size, scaled: isScaled });
}

/** The answer with a page as a picture, whose bytes follow it. */
export function pagePictureAnswer(
  { path, answer }: ServedPictures,
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
        size: given?.size,
      }),
      language,
    ),
    text: quotedAnswer((quotes) =>
      message(language, "page_image_given", { path: quotes.name(path), page, count: pageCount ?? page })
    ),
  };
}
