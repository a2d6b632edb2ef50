import { cutToLength, estimateTokens } from "../../remote/mod.ts";
import { EmbeddingFailure, type FailureKind } from "../provider.ts";

/** Texts of this many UTF-16 units are not cut further: a server does not refuse them for their length. */
const LEAST_CHARS = 64;
/** Share of a text that is kept with each cut. */
const CUT = 2 / 3;
/** A text that every working server accepts. */
const PLAIN = "text";
/** How often a text is cut if the server does not say that its length is the reason. */
const CUTS_IF_REFUSED = 2;
/** Time-outs of one batch, each with a quarter of its texts, before the server counts as dead. */
const MAX_TIMEOUTS = 3;
/** Texts that must be too long before the limit for all texts is lowered: a single one may be unusual. */
const ODD_TEXTS = 2;

/** Failures that a single text may cause. */
const REFUSALS: ReadonlySet<FailureKind> = new Set<FailureKind>(["too_long", "rejected", "not_numbers"]);

/** Sends texts in one request. Returns one result for each. */
export type SendBatch<T> = (texts: readonly string[]) => Promise<readonly T[]>;

/** Called with results as they arrive and the index of the first among the texts. */
export type OnTaken<T> = (first: number, results: readonly T[]) => void;

interface Call<T> {
  readonly send: SendBatch<T>;
  readonly onTaken: OnTaken<T>;
  readonly needsAll: boolean;
}

/**
 * Sends texts in as few requests as possible. Learns the limits of the server: the number of texts in a request and the
 * length of a text. If the server refuses one text but accepts others, that text gets no result and the run goes on.
 *
 *     a request of n texts
 *       ├─ accepted ──────────────► results
 *       ├─ refused, n > 1 ────────► both halves; later requests have fewer texts
 *       ├─ timed out, n > 1 ──────► quarters; given up after three time-outs
 *       ├─ too long, n = 1 ───────► cut to two thirds, again and again; the second such text lowers the limit for all
 *       └─ refused, n = 1 ────────► cut at most twice; then no result, if the server still accepts a plain text
 */
export class Batches<T> {
  #size: number;
  readonly #wantedSize: number;
  #largestTaken = 0;
  #tooLong = 0;

  /** `size`: texts in a request. `maxTokens`: estimated tokens that a text may have. */
  constructor(size: number, public maxTokens: number) {
    this.#size = size;
    this.#wantedSize = size;
  }

  /**
   * Returns the result of `send` for each text, or `undefined` for a text that the server refuses. With `needsAll`, a
   * refused text is an error. Throws the error of `send`, after `onTaken` was called with the results so far.
   */
  async run(
    texts: readonly string[],
    send: SendBatch<T>,
    onTaken: OnTaken<T> = () => {},
    needsAll = false,
  ): Promise<(T | undefined)[]> {
    const results: (T | undefined)[] = [];
    while (results.length < texts.length) {
      const at = results.length;
      const part = texts.slice(at, at + this.#size);
      results.push(
        ...await this.#batch(part, { send, needsAll, onTaken: (first, taken) => onTaken(at + first, taken) }),
      );
    }
    return results;
  }

  async #batch(texts: readonly string[], call: Call<T>, timeouts = 0): Promise<(T | undefined)[]> {
    try {
      return await this.#request(texts, call);
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error;
      if (texts.length === 1) return [await this.#single(texts[0]!, call, error)];
      const parts = this.#partsAfter(error, texts.length, timeouts);
      if (parts === undefined) throw error;
      const size = Math.ceil(texts.length / parts);
      if (texts.length > this.#largestTaken && error.kind !== "too_long") {
        this.#size = Math.min(this.#size, size);
      }
      const results: (T | undefined)[] = [];
      while (results.length < texts.length) {
        const at = results.length;
        const part: Call<T> = { ...call, onTaken: (first, taken) => call.onTaken(at + first, taken) };
        const late = timeouts + (error.kind === "timeout" ? 1 : 0);
        results.push(...await this.#batch(texts.slice(at, at + size), part, late));
      }
      return results;
    }
  }

  /** Returns the number of parts to split a batch into after a failure, or `undefined` if splitting would not help. */
  #partsAfter({ kind }: EmbeddingFailure, length: number, timeouts: number): number | undefined {
    if (kind === "timeout") return timeouts + 1 < MAX_TIMEOUTS ? Math.min(4, length) : undefined;
    return ["batch_too_large", "too_large", "too_long", "rejected", "not_numbers"].includes(kind)
      ? 2
      : undefined;
  }

  /** Sends one text, cut shorter after each refusal. */
  async #single(text: string, call: Call<T>, failure: EmbeddingFailure): Promise<T | undefined> {
    let last = failure;
    let rest = text;
    for (let cuts = 0;; cuts++) {
      if (!REFUSALS.has(last.kind)) throw last;
      const odd = last.kind !== "too_long";
      if (rest.length <= LEAST_CHARS || odd && cuts >= CUTS_IF_REFUSED) {
        if (call.needsAll || this.#largestTaken === 0 && !odd) throw last;
        return await this.#lastTry(text, call);
      }
      rest = cutToLength(rest, Math.max(LEAST_CHARS, Math.floor(rest.length * CUT)));
      try {
        const [result] = await this.#request([rest], call);
        if (failure.kind === "too_long" && ++this.#tooLong >= ODD_TEXTS) {
          this.maxTokens = Math.min(this.maxTokens, estimateTokens(rest));
        }
        return result;
      } catch (error) {
        if (!(error instanceof EmbeddingFailure)) throw error;
        last = error;
      }
    }
  }

  /**
   * Sends a text that was refused once more, after a plain one. A server that has unloaded its model refuses every text;
   * only if it accepts the plain one is this text the cause.
   */
  async #lastTry(text: string, call: Call<T>): Promise<T | undefined> {
    await call.send([PLAIN]);
    try {
      const [result] = await this.#request([text], call);
      return result;
    } catch (error) {
      if (!(error instanceof EmbeddingFailure) || !REFUSALS.has(error.kind)) throw error;
      // The text was the cause, so the size of the batch was not.
      this.#size = this.#wantedSize;
      return undefined;
    }
  }

  async #request(texts: readonly string[], { send, onTaken }: Call<T>): Promise<T[]> {
    const results = await send(texts);
    this.#largestTaken = Math.max(this.#largestTaken, results.length);
    onTaken(0, results);
    return [...results];
  }
}
