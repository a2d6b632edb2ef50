/**
 * Measures the share of a question's words that a text contains. It is simple on purpose, so that it favours none of the
 * rankings under test.
 */
export class Overlap {
  readonly #documentFrequency = new Map<string, number>();
  readonly #size: number;

  /** `texts`: the texts from which the idf of words is computed. */
  constructor(texts: readonly string[]) {
    this.#size = texts.length;
    for (const text of texts) {
      for (const term of termsOf(text)) {
        this.#documentFrequency.set(term, (this.#documentFrequency.get(term) ?? 0) + 1);
      }
    }
  }

  /** Returns the share of the question's terms that `text` contains, weighted by idf, from 0 to 1. */
  of(question: string, text: string): number {
    const inText = termsOf(text);
    let [held, all] = [0, 0];
    for (const term of termsOf(question)) {
      const weight = Math.log(1 + this.#size / (1 + (this.#documentFrequency.get(term) ?? 0)));
      all += weight;
      if (inText.has(term)) held += weight;
    }
    return all === 0 ? 0 : held / all;
  }
}

/** Returns words cut to six letters, so that most forms of a word are equal, and pairs of Chinese characters. */
function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (
    const [run] of text.normalize("NFKC").toLowerCase().matchAll(
      /\p{Script=Han}+|[\p{L}\p{N}]+?(?=\p{Script=Han}|[^\p{L}\p{N}]|$)/gu,
    )
  ) {
    if (!/^\p{Script=Han}/u.test(run)) terms.add(run.slice(0, 6));
    else if (run.length === 1) terms.add(run);
    else for (let at = 0; at + 2 <= run.length; at++) terms.add(run.slice(at, at + 2));
  }
  return terms;
}
