/**
 * Stdin of a server, which the launcher reads for the worker: it notices the end of stdin even while the worker is stuck, and answers
 * the first message of the client before there is a worker.
 */
import { servedCollections } from "#library/search/served_collections.ts";
import { firstAnswer } from "#server/first_answer.ts";
import type { Io } from "./io.ts";
import type { Request } from "./request.ts";

/**
 * Bytes of stdin that are read ahead of the worker. The end of stdin is noticed within them, even while the worker is stuck.
 * Further bytes are not read, so that a client cannot fill the memory.
 */
const AHEAD = 64 * 1024 * 1024;
/** Bytes that are read at once. */
const CHUNK = 64 * 1024;
/** Milliseconds to wait for the first message. Nearly all clients send it before the launcher is ready; the worker waits for the others. */
const PATIENCE_MS = 5;

/** The bytes of one read, null at the end of stdin. */
type Chunk = Uint8Array<ArrayBuffer> | null;

/** Reads stdin from its construction on. */
export class ClientInput {
  readonly #buffer = new Uint8Array(CHUNK);
  readonly #first: Promise<Chunk> = this.#read();
  #ahead = 0;
  #onTaken: (() => void) | undefined;

  /**
   * Answers the first message, if it is there and a plain `initialize`. Returns its id. The worker gets the message as well, but
   * need not answer it.
   */
  async answerFirst(request: Request, { out }: Pick<Io, "out">): Promise<string | number | undefined> {
    const { language, version, roots, config } = request;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<null>((resolve) => timer = setTimeout(() => resolve(null), PATIENCE_MS));
    const bytes = await Promise.race([this.#first, patience]);
    clearTimeout(timer);
    const answer = bytes && firstAnswer(bytes, {
      language,
      version,
      library: { collections: servedCollections(roots, config) },
      config: config.mcp,
      changes: true,
      // As of `ServedLibrary.isLimited`.
      notes: config.mcp.access === null ? true : undefined,
    });
    // A client that has gone is noticed by the next answer.
    if (answer) await out(`${JSON.stringify(answer)}\n`).catch(() => {});
    return answer?.id;
  }

  /** Call it with the number of bytes that the worker has read. */
  taken(bytes: number): void {
    this.#ahead -= bytes;
    this.#onTaken?.();
  }

  /** Passes all of stdin to `hand`, and null at its end. Resolves when stdin has ended or cannot be read. */
  async run(hand: (chunk: Chunk) => void): Promise<void> {
    for (let chunk = await this.#first; chunk !== null; chunk = await this.#read()) {
      this.#ahead += chunk.length;
      hand(chunk);
      while (this.#ahead > AHEAD) await new Promise<void>((resolve) => this.#onTaken = resolve);
    }
    hand(null);
  }

  async #read(): Promise<Chunk> {
    // An error counts as the end, because no bytes will follow.
    const count = await Deno.stdin.read(this.#buffer).catch(() => null);
    return count === null ? null : this.#buffer.slice(0, count);
  }
}
