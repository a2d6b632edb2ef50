/**
 * Pictures that stand in passages, or that passages are or refer to.
 */
import { dirname, extname, resolve } from "node:path";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { UserError } from "#foundation/errors.ts";
import { type Language, message } from "#foundation/messages/mod.ts";
import type { Hit, Library } from "#library/search/mod.ts";
import { imageReferences, type ListedPicture, localPath } from "#documents/mod.ts";
import { type GivenImage, givenImagesText } from "#library/answer/mod.ts";

/** Most images of an answer, pixels of the longer side, and bytes of one. Base64 adds a third. */
const MOST_IMAGES = 5, SIDE = 1_000, MOST_BYTES = 1_000_000;
/** Pictures that are looked at: a page of icons is no reason to open hundreds of files. */
const MOST_WANTED = 50;
/** How often others are tried in place of those that cannot be shown: a document is read again each time. */
const ROUNDS = 3;

interface HitImages {
  /** In the order of `content`. */
  readonly images: readonly GivenImage[];
  readonly content: CallToolResult["content"];
  /** Sentences on the images that are given and that are left out. */
  readonly notices: readonly string[];
  /** The same with the places of the images, for the text of the answer. */
  readonly text: string;
}

/**
 * Returns the pictures of hits: those that stand in them, those that they are, and those in files of the served folders that they refer
 * to. Each is given once, scaled down, up to 5 in all. One that cannot be shown is counted; it is no reason for an answer without others.
 */
export async function imagesOf(
  hits: readonly Hit[],
  library: Pick<Library, "readPictures">,
  language: Language,
  signal: AbortSignal,
): Promise<HitImages> {
  const wanted = wantedOf(hits);
  const found = new Map<WantedImage, GivenImage>();
  /** The same picture, such as a logo, may stand in several places. */
  const seen = new Set<string>();
  const problems: Problem[] = [];
  let tried = 0;
  for (let round = 0; round < ROUNDS && found.size < MOST_IMAGES; round++) {
    const tries = wanted.slice(tried, tried + MOST_IMAGES - found.size);
    tried += tries.length;
    for (const [path, ofDocument] of Map.groupBy(tries, ({ path }) => path)) {
      const { given, problems: failed } = await read(path, ofDocument, library, signal);
      problems.push(...failed);
      for (const [one, image] of given) {
        const key = image.picture.sha256 ?? `${image.picture.number} ${image.path}`;
        if (!seen.has(key)) found.set(one, image);
        seen.add(key);
      }
    }
  }
  const images = wanted.flatMap((one) => found.get(one) ?? []);
  const citations = [...new Set(images.map(({ citation }) => citation))];
  const notices = [
    ...(images.length === 0
      ? []
      : [message(language, "images_given", { list: citations.join(", "), count: citations.length })]),
    ...(tried === wanted.length
      ? []
      : [message(language, "images_left_out", { count: wanted.length - tried, most: MOST_IMAGES })]),
    ...(problems.length === 0 ? [] : [problemText(problems, language)]),
  ];
  return {
    images,
    content: images.map(({ bytes, given }) => ({
      type: "image",
      data: bytes.toBase64(),
      mimeType: given.mediaType,
    })),
    notices,
    text: [...notices, ...givenImagesText(images, language)].join("\n"),
  };
}

/** Why a picture cannot be shown. */
type Problem = NonNullable<ListedPicture["problem"]> | "changed" | "unread";

function problemText(problems: readonly Problem[], language: Language): string {
  const reasons = [...new Set(problems)].map((problem) => message(language, `image_problem_${problem}`));
  return message(language, "images_not_shown", {
    count: problems.length,
    reasons: reasons.join(language === "zh" ? "；" : "; "),
  });
}

interface WantedImage {
  /** Number of the passage that it belongs to. */
  readonly citation: number;
  /** Of its document, or its own. */
  readonly path: string;
  readonly number: number;
  /** SHA-256 of the document in which it has this number. */
  readonly sha256?: string | undefined;
}

/** The pictures of hits, each once, in their order. */
function wantedOf(hits: readonly Hit[]): WantedImage[] {
  const wanted = new Map<string, WantedImage>();
  for (const [i, { filePath, content, images, sha256 }] of hits.entries()) {
    const own = images?.map((number) => ({ path: filePath, number, sha256 })) ??
      filesOf(filePath, content).map((path) => ({ path, number: 1 }));
    for (const one of own) {
      const key = `${one.number} ${one.path}`;
      if (wanted.size < MOST_WANTED && !wanted.has(key)) wanted.set(key, { citation: i + 1, ...one });
    }
  }
  return [...wanted.values()];
}

/** The picture files that a passage is or refers to. */
function filesOf(source: string, text: string): string[] {
  if (hasImageName(source)) return [source];
  return imageReferences(text).flatMap(({ reference }) => localPath(reference) ?? [])
    .filter(hasImageName).map((path) => resolve(dirname(source), path));
}

function hasImageName(path: string): boolean {
  return [".png", ".jpg", ".jpeg", ".gif", ".webp"].includes(extname(path).toLowerCase());
}

/** Reads some pictures of a document. `problems`: of those that are there but cannot be shown. */
async function read(
  path: string,
  wanted: readonly WantedImage[],
  library: Pick<Library, "readPictures">,
  signal: AbortSignal,
) {
  const numbers = wanted.map(({ number }) => number);
  try {
    const request = { want: "pictures", numbers, side: SIDE, bytes: MOST_BYTES } as const;
    const { path: real, sha256, captions, answer: { pictures }, contents } = await library.readPictures(
      path,
      request,
      signal,
    );
    const given: [WantedImage, GivenImage][] = [];
    const problems: Problem[] = [];
    const bytes = contents.values();
    for (const picture of pictures) {
      const one = wanted.find(({ number }) => number === picture.number)!;
      // This may be another picture.
      const isChanged = one.sha256 !== undefined && one.sha256 !== sha256;
      const content = picture.given === undefined ? undefined : bytes.next().value!;
      if (content === undefined || isChanged) {
        // Pictures elsewhere are not the document's own.
        if (picture.problem !== "linked") problems.push(isChanged ? "changed" : picture.problem!);
        continue;
      }
      const { citation } = one;
      const caption = captions && { captions };
      given.push([one, {
        citation,
        path: real,
        sha256,
        ...caption,
        picture,
        given: picture.given!,
        bytes: content,
      }]);
    }
    return { given, problems };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // A file that is not there, and one that the client may not read, are the same.
    const isGone = error.key === "file_not_found" || error.key === "no_permission";
    return { given: [], problems: isGone ? [] : numbers.map(() => "unread" as const) };
  }
}
