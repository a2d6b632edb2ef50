/**
 * Texts that a language model wrote about a chunk: how an index keeps them, and the terms by which they are found.
 *
 * They are a field of their own with a low weight. Its terms stand in the dictionary beside those of the texts, each with
 * {@linkcode MARK} in front, so that they have lists and frequencies of their own. The length of a chunk, its id and its
 * coverage of a question come from its text alone. The texts lie in the sections `generated` (JSON, one after the other) and
 * `generated.at` (float64, offsets); an index without such texts has neither section.
 */
import type { BlobWriter } from "./blob/writer.ts";
import { DamagedIndexError } from "./blob/format.ts";
import { Annotations } from "./annotations.ts";
import type { Tokenizer } from "./text/tokenizer.ts";

/** The texts of a language model about a chunk. At least one of them is there. */
export interface Generated {
  readonly title?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  /** Questions that the chunk answers. */
  readonly questions?: readonly string[];
  /** Descriptions of the pictures in the chunk. */
  readonly captions?: readonly PictureCaption[];
  /** Numbers of the pictures in the chunk whose description was rejected. */
  readonly rejectedPictures?: readonly number[];
  /** Id of the model, such as `deepseek/deepseek-chat`. */
  readonly model: string;
  /** By the task: the key of what it made, by which a run sees that nothing is to be done. */
  readonly keys?: Readonly<Record<string, string>>;
}

/** The description of a picture by a model. */
export interface PictureCaption {
  /** Number of the picture in its document, counted from 1. */
  readonly image: number;
  readonly text: string;
  /** Numbers in it that the texts of the document do not have. */
  readonly unconfirmed?: readonly string[];
}

/** Names of the sections. */
export const TEXTS = "generated", OFFSETS = "generated.at";

/** Stands before each term of a generated text. No word of a text has a control character. */
const MARK = "\u0001";

/** The term of the field for a term of the texts. */
export function generatedTerm(term: string): string {
  return MARK + term;
}

/** Whether a term is one of the field. */
export function isGeneratedTerm(term: string): boolean {
  return term.startsWith(MARK);
}

/** The parts of {@linkcode Generated} that are texts, in the order in which they are shown. */
export function generatedTexts(generated: Generated): string[] {
  const { title, summary, tags = [], questions = [], captions = [] } = generated;
  return [title, summary, ...tags, ...questions, ...captions.map(({ text }) => text)].filter((text) =>
    text !== undefined
  );
}

/** The terms of generated texts in the field, repetitions included. */
export function generatedTerms(generated: Generated, tokenizer: Tokenizer): string[] {
  return generatedTexts(generated).flatMap((text) => tokenizer.tokenize(text)).map(generatedTerm);
}

/** Reads what the index keeps for a chunk: no bytes if there is nothing. Throws {@linkcode DamagedIndexError}. */
export function decodeGenerated(bytes: Uint8Array): Generated | undefined {
  if (bytes.length === 0) return undefined;
  const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isGenerated(json)) throw new DamagedIndexError(`section ${TEXTS}`);
  return json;
}

function isGenerated(json: unknown): json is Generated {
  if (typeof json !== "object" || json === null) return false;
  const { title, summary, tags, questions, captions, rejectedPictures: rejected = [], model, keys = {} } =
    json as Record<string, unknown>;
  const isText = (value: unknown) => typeof value === "string";
  const areKeys = typeof keys === "object" && keys !== null && Object.values(keys).every(isText);
  return isText(model) && areKeys &&
    [title, summary].every((value) => value === undefined || isText(value)) &&
    [tags, questions].every((value) => value === undefined || isTexts(value)) &&
    (captions === undefined || Array.isArray(captions) && captions.every(isCaption)) &&
    Array.isArray(rejected) && rejected.every(Number.isSafeInteger);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isCaption(json: unknown): boolean {
  if (typeof json !== "object" || json === null) return false;
  const { image, text, unconfirmed = [] } = json as Record<string, unknown>;
  return Number.isSafeInteger(image) && typeof text === "string" && isTexts(unconfirmed);
}

/** Collects the generated texts of an index that is being written. */
export class GeneratedSections {
  readonly #texts = new Annotations();
  #isEmpty = true;

  /** Keeps the texts of a chunk. */
  set(chunk: number, generated: Generated): void {
    this.keep(chunk, new TextEncoder().encode(JSON.stringify(generated)));
  }

  /** Keeps the bytes that a previous index has for a chunk. */
  keep(chunk: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#texts.set(chunk, bytes);
    this.#isEmpty = false;
  }

  /** Writes the sections for `count` chunks, or nothing if no chunk has a text. */
  write(blob: BlobWriter, count: number): void {
    if (this.#isEmpty) return;
    blob.begin(TEXTS);
    for (const bytes of this.#texts.all(count)) blob.write(bytes);
    blob.section(OFFSETS, this.#texts.offsets(count));
  }
}
