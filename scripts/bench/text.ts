/** Generated text whose word frequencies follow Zipf's law. It is seeded, so every run measures the same text. */

export type BenchLanguage = "en" | "zh";

/** Returns a generator of pseudo-random numbers in [0, 1) (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Returns a function that draws 0 … size-1 with probabilities ∝ 1 / (rank + 2.7)^1.05 (Zipf-Mandelbrot, the usual fit for
 * prose).
 */
function zipf(size: number, next: () => number): () => number {
  const cumulated = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) cumulated[rank] = sum += 1 / Math.pow(rank + 2.7, 1.05);
  return () => {
    const wanted = next() * sum;
    let low = 0, high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulated[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const ENGLISH_WORDS = 80_000;
const CHINESE_WORDS = 60_000;
const HANZI = 4_000;
const SYLLABLES =
  "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo za bran cles dron fing gram shi ther ton".split(
    " ",
  );

function englishWords(next: () => number): string[] {
  const words = new Set(
    "the of and to in a is that for it as was with be by on not he i this are or his from at which but have an"
      .split(" "),
  );
  while (words.size < ENGLISH_WORDS) {
    let word = "";
    // Frequent words are short.
    const syllables = 1 + Math.floor(next() * (words.size < 500 ? 2 : 4));
    for (let i = 0; i < syllables; i++) word += SYLLABLES[Math.floor(next() * SYLLABLES.length)]!;
    words.add(word + ["", "s", "ed", "ing", ""][Math.floor(next() * 5)]!);
  }
  return [...words];
}

function chineseWords(next: () => number): string[] {
  const hanzi = zipf(HANZI, next);
  const character = () => String.fromCharCode(0x4e00 + hanzi() * 5);
  const words = new Set<string>();
  while (words.size < CHINESE_WORDS) {
    const length = words.size < 60 ? 1 : next() < 0.15 ? 1 : next() < 0.8 ? 2 : 3;
    let word = "";
    for (let i = 0; i < length; i++) word += character();
    words.add(word);
    if (length === 1 && words.size > 3_000) continue;
  }
  return [...words];
}

/**
 * Generates chunks of about 600 characters of English or 250 of Chinese; both are about 100 words. `known`: the words to
 * draw from, most frequent first. Without it, words are made up.
 */
export function* chunks(
  language: BenchLanguage,
  count: number,
  known?: readonly string[],
): Generator<string> {
  const next = random(1);
  const words = known ?? (language === "en" ? englishWords(next) : chineseWords(next));
  const draw = zipf(words.length, next);
  for (let i = 0; i < count; i++) {
    const sentences: string[] = [];
    for (let left = 80 + Math.floor(next() * 40); left > 0;) {
      const length = Math.min(left, 6 + Math.floor(next() * 18));
      left -= length;
      const sentence = Array.from({ length }, () => words[draw()]!);
      sentences.push(language === "en" ? `${sentence.join(" ")}.` : `${sentence.join("")}。`);
    }
    yield sentences.join(language === "en" ? " " : "");
  }
}

/** Returns a query: six words (English) or twelve characters (Chinese) of a chunk, common ones included. */
export function queryFrom(language: BenchLanguage, chunk: string, next: () => number): string {
  if (language === "zh") {
    const start = Math.floor(next() * Math.max(1, chunk.length - 12));
    return chunk.slice(start, start + 12);
  }
  const words = chunk.replaceAll(".", "").split(" ");
  return Array.from({ length: 6 }, () => words[Math.floor(next() * words.length)]!).join(" ");
}
