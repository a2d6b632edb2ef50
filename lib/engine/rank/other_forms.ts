/**
 * Numbers and dates of a question that a chunk has in another form: to its chance of an answer, `1,234.5` is `1234.5`.
 */
import { Tokenizer } from "#engine/index/mod.ts";
import type { FoundChunk } from "#engine/segments.ts";
import { comparableForms, type WrittenForm } from "#foundation/written_values.ts";
import { type QueryWord, strongTerms, totalIdf } from "./query_words.ts";
import type { RankRequest, Signs } from "./types.ts";

/** Numbers and dates of a question at most. One that has more is a pasted text. */
const MOST_VALUES = 8;
/** Bytes of a chunk that are looked at. */
const MOST_BYTES = 1 << 16;

/** A number or date of the question. */
interface AskedValue extends WrittenForm {
  /** The index terms of its words. */
  readonly terms: ReadonlySet<string>;
}

/** Completes the signs of chunks. A question without numbers and dates costs nothing. */
export class OtherForms {
  readonly #request: RankRequest;
  readonly #words: readonly QueryWord[];
  #ownTokenizer: Tokenizer | undefined;
  readonly #values: readonly AskedValue[];

  constructor(request: RankRequest, words: readonly QueryWord[]) {
    this.#request = request;
    this.#words = words;
    const asked = /\d|[一二]/.test(request.text) ? comparableForms(request.text.normalize("NFKC")) : [];
    this.#values = asked.length > MOST_VALUES ? [] : asked.map((form) => ({
      ...form,
      terms: new Set(this.#tokenizer.queryTerms(form.words).map(({ term }) => term)),
    }));
  }

  /** Made only where it is needed: it takes 2 ms, the first one 10 ms. */
  get #tokenizer(): Tokenizer {
    return this.#request.meaning?.tokenizer ?? (this.#ownTokenizer ??= new Tokenizer());
  }

  /** Returns the signs of each chunk, as they would be if the chunk had the question's values as the question writes them. */
  async complete(
    found: readonly (FoundChunk & { readonly signs: Signs | undefined })[],
  ): Promise<(Signs | undefined)[]> {
    const signs = found.map(({ signs }) => signs);
    if (this.#values.length === 0) return signs;
    const order = found.map(({ id }, i) => ({ id, i })).filter(({ i }) => (signs[i]?.held ?? 1) < 1)
      .sort((a, b) => a.id - b.id);
    const texts = await this.#request.segments.texts(Int32Array.from(order, ({ id }) => id), MOST_BYTES);
    await Promise.all(order.map(async ({ id, i }, at) => {
      const text = texts[at]!.normalize("NFKC");
      if (!this.#values.some(({ value }) => mayHold(text, value))) return;
      const inText = new Set(comparableForms(text).map(({ value }) => value));
      const held = this.#values.filter(({ value, words }) => inText.has(value) && !text.includes(words));
      if (held.length === 0) return;
      signs[i] = await this.#completed(signs[i]!, id, text, new Set(held.flatMap(({ terms }) => [...terms])));
    }));
    return signs;
  }

  /** `terms`: those of the values that the chunk has. */
  async #completed(signs: Signs, id: number, text: string, terms: ReadonlySet<string>): Promise<Signs> {
    const { near, translated, sure } = signs;
    const held = Math.max(signs.held, await this.#heldWith(id, terms));
    if (near === undefined) return { ...signs, held };
    const ofText = new Set(this.#tokenizer.tokenize(text));
    const missing = this.#words.filter((word) => {
      const own = strongTerms(this.#tokenizer.queryTerms(word.text));
      return own.every((term) => terms.has(term)) && !own.every((term) => ofText.has(term));
    });
    const share = missing.length === 0 ? 0 : totalIdf(missing) / totalIdf(this.#words);
    return {
      ...signs,
      held,
      near: Math.min(1, near + share),
      ...(translated === undefined ? {} : {
        translated: Math.min(1, translated + share),
        sure: Math.max(sure!, missing.length === 0 ? 0 : 1),
      }),
    };
  }

  /** Returns the share of the question's idf that a chunk has if it has some terms. */
  async #heldWith(id: number, terms: ReadonlySet<string>): Promise<number> {
    const { segments, terms: all, noDemand } = this.#request;
    const [{ total }, rest] = await Promise.all([
      segments.lookUp(all, noDemand),
      segments.lookUp(all.filter(({ term }) => !terms.has(term)), noDemand),
    ]);
    if (total === 0 || rest.total === 0) return 1;
    const { coverage } = await segments.scoreTerms(rest, Int32Array.of(id));
    return 1 - (1 - coverage[0]!) * rest.total / total;
  }
}

/** Whether a text may have a value in any form. Finding the values of a text takes long, and most have none of the question's. */
function mayHold(text: string, value: string): boolean {
  const [digits] = /^\d+/.exec(value)!;
  return text.includes(digits) || text.includes(digits.replace(/\B(?=(?:\d{3})+$)/g, ",")) ||
    /^\d{4}-/.test(value) && /[一二][〇零○一二三四五六七八九]{3}/.test(text);
}
