/** Puts the chunks of documents right by the operations of a language model, while files are read into an index. */
import type { Document } from "#documents/mod.ts";
import {
  type Chunk,
  chunkDocument,
  type ChunkEdit,
  type ChunkOptions,
  editedChunks,
} from "#engine/chunk/mod.ts";
import { LANGUAGE_CODES, languageOf, type StoredFile } from "#engine/index/mod.ts";
import type { Language } from "#foundation/messages/mod.ts";
import { editOf, type Generator, REFINE, type RefineInput } from "#library/generate/mod.ts";

/** Options of a {@linkcode Refiner}. */
interface RefinerOptions {
  /** Whether a model is asked for what is not known. Default: only known operations are carried out. */
  readonly makes?: boolean;
  readonly signal?: AbortSignal;
  /** Told of each chunk that was looked at. */
  readonly onChunk?: () => void;
}

/** Chunks of a document. `refined`: absent if the operations of some of them are not known. */
interface RefinedChunks {
  readonly chunks: readonly Chunk[];
  readonly refined?: string;
}

/** UTF-16 units of the next chunk that a model is shown. */
const NEXT_CHARS = 300;
/** Digits of a key in the record of a file. */
const KEY_DIGITS = 16;

/** Looks up the operations for the chunks of a document, or asks for them, and carries them out. */
export class Refiner {
  readonly #generator: Generator;
  readonly #options: RefinerOptions;
  /** Stands in the records of the files that were refined by this model, with this prompt. */
  readonly signature: string;

  private constructor(generator: Generator, signature: string, options: RefinerOptions) {
    this.#generator = generator;
    this.signature = signature;
    this.#options = options;
  }

  static async of(generator: Generator, options: RefinerOptions = {}): Promise<Refiner> {
    const { key } = await generator.plan(REFINE, { lines: [""], next: "" }, "en");
    return new Refiner(generator, key.slice(0, KEY_DIGITS), options);
  }

  /** Whether a file that has not changed is read again, because its chunks are not refined in this way. */
  isToRead({ status, refined }: StoredFile): boolean {
    return this.#options.makes === true && status === "indexed" && refined !== this.signature;
  }

  /** Cuts a document. Throws only the reason of the signal. */
  async refine(document: Document, chunking: ChunkOptions): Promise<RefinedChunks> {
    const chunks = chunkDocument(document, chunking);
    const edits = await Promise.all(chunks.map((_, i) => this.#editOf(document, chunks, i)));
    const known = edits.filter((edit) => edit !== undefined);
    return {
      chunks: known.length === 0
        ? chunks
        : editedChunks(document, chunks, edits.map((edit) => edit ?? undefined), chunking.maxChars),
      ...(known.length === edits.length && { refined: this.signature }),
    };
  }

  /** Returns the edit of a chunk; `undefined` if none is known, `null` if none is needed. */
  async #editOf(
    document: Document,
    chunks: readonly Chunk[],
    i: number,
  ): Promise<ChunkEdit | null | undefined> {
    const input = refineInput(document, chunks, i);
    if (input === undefined) return null;
    const { makes = false, signal, onChunk } = this.#options;
    const language = languageFor(input);
    const refined = makes
      ? await this.#generator.make(REFINE, input, language, signal)
      : await this.#generator.known(REFINE, input, language);
    onChunk?.();
    if (refined !== undefined) return editOf(refined, input.lines.length);
    return await this.#generator.isDone(REFINE, input, language) ? null : undefined;
  }
}

/** Returns what a model is told of a chunk; `undefined` for one of which nothing can be put right. */
function refineInput({ text }: Document, chunks: readonly Chunk[], i: number): RefineInput | undefined {
  const { start, end, lead } = chunks[i]!;
  if (lead !== undefined) return undefined;
  const lines = text.slice(start, end).split("\n");
  const next = chunks[i + 1];
  if (lines.length < 2 && next === undefined) return undefined;
  return { lines, next: next === undefined ? "" : text.slice(next.start, next.end).slice(0, NEXT_CHARS) };
}

function languageFor({ lines }: RefineInput): Language {
  return languageOf(lines.join("\n")) === LANGUAGE_CODES.zh ? "zh" : "en";
}
