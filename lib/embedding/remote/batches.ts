import { cutToLength, estimateTokens } from "./cut.ts";
import { EmbeddingFailure, type FailureKind } from "./failure.ts";

/** Shorter texts are not cut further: their length is not what is wrong. */
const LEAST_CHARS = 64;
/** What of a text that is too long is sent next. */
const CUT = 2 / 3;
/** A text that no server has a reason to refuse. */
const PLAIN = "text";
/** How often a text is cut that the server refuses for reasons of its own. */
const CUTS_IF_REFUSED = 2;
/** Time-outs of one batch, each with a quarter of its texts, before the server is taken for dead. */
const MAX_TIMEOUTS = 3;
/** One text that is too long may be an odd one; this many tell of the model. */
const ODD_TEXTS = 2;

/** Failures that may lie in the text. */
const REFUSALS: ReadonlySet<FailureKind> = new Set<FailureKind>(["too_long", "rejected", "not_numbers"]);

/** Sends some texts in one request. */
export type SendBatch<T> = (texts: readonly string[]) => Promise<readonly T[]>;

/** Hears of results as they come, and of the place of the first among the texts. */
export type OnTaken<T> = (first: number, results: readonly T[]) => void;

interface Call<T> {
  readonly send: SendBatch<T>;
  readonly onTaken: OnTaken<T>;
  readonly needsAll: boolean;
}

/**
 * Sends texts in as few requests as the server takes. Its limits are learnt: how many texts go into one request, how long
 * one may be. A text that it refuses, when it takes others, is left out rather than ending the run.
 */
export class Batches<T> {
  /** About how many tokens a text may have. */
  maxTokens: number;
  #size: number;
  readonly #wantedSize: number;
  #largestTaken = 0;
  #tooLong = 0;

  constructor(size: number, maxTokens: number) {
    this.#size = size;
    this.#wantedSize = size;
    this.maxTokens = maxTokens;
  }

  /**
   * What `send` gives for each text; `undefined` for one that the server does not take, which with `needsAll` is an error.
   * Throws what `send` throws; `onTaken` has heard by then of what came before, with the place of the first.
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

  /** Into how many parts a batch goes after a failure; `undefined` if that would not help. */
  #partsAfter({ kind }: EmbeddingFailure, length: number, timeouts: number): number | undefined {
    if (kind === "timeout") return timeouts + 1 < MAX_TIMEOUTS ? Math.min(4, length) : undefined;
    return ["batch_too_large", "too_large", "too_long", "rejected", "not_numbers"].includes(kind)
      ? 2
      : undefined;
  }

  /** Sends a text alone, shorter and shorter. */
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

  /** A server that has unloaded its model refuses everything: not before it takes another text is this one at fault. */
  async #lastTry(text: string, call: Call<T>): Promise<T | undefined> {
    await call.send([PLAIN]);
    try {
      const [result] = await this.#request([text], call);
      return result;
    } catch (error) {
      if (!(error instanceof EmbeddingFailure) || !REFUSALS.has(error.kind)) throw error;
      // so it was not the number of texts
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
