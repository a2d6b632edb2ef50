import { type Tokenizer, wordParts } from "../../index/mod.ts";

/** A word of a query that belongs to a group, and the other words of the group. */
export interface Expansion {
  readonly word: string;
  readonly others: readonly string[];
}

/** Groups of words that mean the same. */
export class Synonyms {
  readonly #tokenizer: Tokenizer;
  readonly #groups: readonly (readonly { readonly word: string; readonly stems: string }[])[];

  constructor(tokenizer: Tokenizer, groups: readonly (readonly string[])[]) {
    this.#tokenizer = tokenizer;
    this.#groups = groups.map((group) => group.map((word) => ({ word, stems: this.#stemsOf(word) })));
  }

  /**
   * Returns the words of groups that `text` contains, one for each group. English words match in any form of the stem,
   * Chinese words wherever their characters follow each other.
   */
  in(text: string): Expansion[] {
    if (this.#groups.length === 0) return [];
    const stems = this.#stemsOf(text);
    return this.#groups.flatMap((group) => {
      // A word that is only punctuation becomes a single space.
      const held = group.filter((entry) => entry.stems.length > 1 && stems.includes(entry.stems));
      const others = group.filter((entry) => !held.includes(entry)).map(({ word }) => word);
      return held.length === 0 || others.length === 0 ? [] : [{ word: held[0]!.word, others }];
    });
  }

  /**
   * Returns the stems of the words and the Chinese characters, each between spaces, so that substrings match only whole
   * words.
   */
  #stemsOf(text: string): string {
    const stems = wordParts(this.#tokenizer.fold(text)).map((part) =>
      this.#tokenizer.tokenize(part)[0] ?? part
    );
    return ` ${stems.map((stem) => `${stem} `).join("")}`;
  }
}
