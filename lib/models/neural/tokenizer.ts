/** Tokens of a text or a pair, as the `tokenizer.json` of a model says. */
import { Tokenizer } from "@huggingface/tokenizers";
import { gunzipSync } from "node:zlib";

/** Tokens of one text or of a pair. */
export interface Tokens {
  readonly ids: readonly number[];
  /** For each token 0, or 1 in the second text of a pair. */
  readonly types: readonly number[];
}

/** Bytes of a `tokenizer.json` after unpacking. The largest in use, for 250,000 tokens, has 17 million. */
const MOST_BYTES = 64_000_000;

/**
 * UTF-16 units of a text that are tokenized, for each token that the model reads. Longer tokens than these are not found in
 * texts, so that the rest of a text of megabytes need not be tokenized to be cut off.
 */
const UNITS_A_TOKEN = 32;

/** Ideographs beyond U+FFFF, which the library does not take for single words as BERT's normalizer does. */
const FAR_IDEOGRAPH = /[\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

/** Cuts texts into the tokens of a model, as the `tokenizer.json` of the model says. */
export class TextTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #maxTokens: number;
  readonly #partsIdeographs: boolean;

  /** `bytes`: a `tokenizer.json`, or one compressed with gzip. Throws an error if it is not valid. */
  constructor(bytes: Uint8Array, maxTokens: number) {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = isPacked ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes;
    if (text.length > MOST_BYTES) throw new RangeError(`the tokenizer has more than ${MOST_BYTES} bytes`);
    const description = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
    this.#tokenizer = new Tokenizer(description, {});
    this.#partsIdeographs = description.normalizer?.["handle_chinese_chars"] === true;
    this.#maxTokens = maxTokens;
  }

  /** Returns the tokens of a text, at most `maxTokens` of them. The last one, which marks the end, is always there. */
  tokens(text: string): Tokens {
    const ids = this.#tokenizer.encode(this.#cut(text)).ids;
    return {
      ids: shortened(ids, this.#maxTokens),
      types: new Array(Math.min(ids.length, this.#maxTokens)).fill(0),
    };
  }

  /**
   * Returns the tokens of a question with a text. What is too long is cut off the text, and off a question of more than
   * half.
   */
  pair(question: string, text: string): Tokens {
    const { ids, token_type_ids: types } = this.#tokenizer.encode(this.#fitting(question), {
      // The library takes an empty text for no pair.
      "text_pair": this.#cut(text) || " ",
      "return_token_type_ids": true,
    });
    return { ids: shortened(ids, this.#maxTokens), types: shortened(types, this.#maxTokens) };
  }

  #cut(text: string): string {
    const start = text.slice(0, this.#maxTokens * UNITS_A_TOKEN).toWellFormed();
    return this.#partsIdeographs ? start.replace(FAR_IDEOGRAPH, " $& ") : start;
  }

  /** A beginning of a question that takes at most half of the tokens. */
  #fitting(question: string): string {
    const most = Math.floor(this.#maxTokens / 2);
    for (let text = this.#cut(question);;) {
      const count = this.#tokenizer.encode(text).ids.length;
      if (count <= most || text === "") return text;
      text = text.slice(0, Math.min(text.length - 1, Math.floor(text.length * most / count))).toWellFormed();
    }
  }
}

/** The first items and the last one, `most` in all. */
function shortened(items: readonly number[], most: number): readonly number[] {
  return items.length <= most ? items : [...items.slice(0, most - 1), items.at(-1)!];
}
