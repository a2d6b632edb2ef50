/** A summary of a document from its own sentences and words. */
import type { Document } from "#documents/mod.ts";

/** The summary of a document, made of its own sentences. */
export interface Summary {
  /** The central sentences, in the order of the text. */
  readonly sentences: readonly string[];
  /** The salient terms, the most salient first. */
  readonly tags: readonly string[];
}

/** Sentences of a summary, and tags. */
const SENTENCES = 4;
const TAGS = 10;

/** UTF-16 units of a document that are looked at, and of a sentence. */
const MAX_CHARS = 400_000;
const LEAST_SENTENCE = 12;
const LONGEST_SENTENCE = 400;
/** A sentence that shares so much of its weight with one already chosen says the same. */
const SAME = 0.6;
/** How much the first sentences of a text gain, because they often say what it is about. */
const FIRST_BONUS = 0.25;

/** Words of a document whose weights are needed: those that occur most often. */
const MAX_WORDS = 400;

/** A document as sentences of words. */
export interface Words {
  readonly sentences: readonly { readonly text: string; readonly words: readonly string[] }[];
  /** The most frequent words with their counts. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Splits a document's text into sentences and words. Chinese words are those of `Intl.Segmenter`. */
export function wordsOf({ text, bodyStart = 0 }: Pick<Document, "text" | "bodyStart">): Words {
  const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
  const sentences = [];
  const counts = new Map<string, number>();
  for (const sentence of sentencesOf(text.slice(bodyStart, bodyStart + MAX_CHARS))) {
    const words: string[] = [];
    for (const { segment, isWordLike } of segmenter.segment(sentence)) {
      const word = segment.toLowerCase();
      if (!isWordLike || word.length < 2 || /^\p{N}+$/u.test(word) || STOP_WORDS.has(word)) continue;
      words.push(word);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    if (sentence.length >= LEAST_SENTENCE && words.length > 1) sentences.push({ text: sentence, words });
  }
  const frequent = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, MAX_WORDS);
  return { sentences, counts: new Map(frequent) };
}

/**
 * The sentences nearest to the centre of a document, and its salient words: those that are frequent in it and rare in all folders.
 * `weights`: the idf of the words in `counts`.
 */
export function summaryOf({ sentences, counts }: Words, weights: ReadonlyMap<string, number>): Summary {
  const centre = new Map(
    Array.from(counts, ([word, count]) => [word, (1 + Math.log(count)) * (weights.get(word) ?? 0)] as const),
  );
  const ranked = sentences.map(({ text, words }, i) => {
    const own = new Set(words);
    let score = 0;
    for (const word of own) score += centre.get(word) ?? 0;
    return { i, text, own, score: score / Math.sqrt(own.size + 3) * (1 + FIRST_BONUS / (1 + i)) };
  }).sort((a, b) => b.score - a.score || a.i - b.i);
  const chosen: typeof ranked = [];
  for (const sentence of ranked) {
    if (chosen.length === SENTENCES) break;
    if (!chosen.some(({ own }) => shared(own, sentence.own, centre) > SAME)) chosen.push(sentence);
  }
  const tags = [...centre].filter(([word, weight]) => weight > 0 && counts.get(word)! > 1)
    .sort(([a, n], [b, m]) => m * counts.get(b)! - n * counts.get(a)! || (a < b ? -1 : 1));
  return {
    sentences: chosen.sort((a, b) => a.i - b.i).map(({ text }) => text),
    tags: tags.slice(0, TAGS).map(([word]) => word),
  };
}

/** Share of the weight of the words of two sentences that both have. */
function shared(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
  weights: ReadonlyMap<string, number>,
): number {
  let [both, either] = [0, 0];
  for (const word of a.union(b)) {
    const weight = weights.get(word) ?? 0;
    either += weight;
    if (a.has(word) && b.has(word)) both += weight;
  }
  return either === 0 ? 0 : both / either;
}

/** The sentences of a Markdown text, without its tables, code, headings and signs of lists. */
function sentencesOf(text: string): string[] {
  const prose = text.replace(/^(`{3,}|~{3,})[^]*?^\1\s*$/gm, "\n\n").split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph.split("\n").filter((line) => !/^\s*(?:#{1,6}\s|\||[-=*_]{3,}\s*$)/.test(line))
        .map((line) => line.replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, "")).join("\n")
    );
  return prose.flatMap((paragraph) =>
    paragraph.replace(
      /\s*\n\s*/g,
      (_, at: number) => /\p{Script=Han}/u.test(paragraph[at - 1] ?? "") ? "" : " ",
    )
      .split(/(?<=[。！？])|(?<=[.!?]["')\]]?)\s+/u)
  ).map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "" && sentence.length <= LONGEST_SENTENCE);
}

/** Words that say nothing about what a text is about. Very frequent words of a folder have low weights anyway. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  ("the and for with that this from are was were has have had not but you your its it's can will would should could may " +
    "of to in on at by as is be an or if so no we he she they them their there then than which who what when where how all " +
    "any each more most other some such only own same too very just do does did been being into about over under out up " +
    "down off again once here also one two use used using " +
    "的 了 和 是 在 有 与 或 不 也 就 都 而 及 等 这 那 其 中 为 以 对 从 到 由 被 把 让 一个 一种 可以 没有 如果 因为 所以 但是 以及 这个 " +
    "那个 我们 你们 他们 它们 自己 什么 怎么 如何 需要 进行 使用 通过 时候 其他").split(" "),
);
