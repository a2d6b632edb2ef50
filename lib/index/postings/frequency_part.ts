/** BM25's saturation of the term frequency. */
export const K1 = 1.2;
/** BM25's weight of the length. */
export const B = 0.75;

/**
 * The part of BM25 that depends on the chunk: tf / (tf + k1 (1 - b + b length / average)); 0 to 1. A term's score
 * in a chunk is idf (k1 + 1) times it.
 *
 * Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), 3.5.
 */
export function frequencyPart(tf: number, length: number, average: number): number {
  return tf / (tf + lengthNorm(length, average));
}

/** k1 (1 - b + b length / average): the penalty for a long chunk. */
export function lengthNorm(length: number, average: number): number {
  return K1 * (1 - B + B * (average > 0 ? length / average : 0));
}

/** idf = ln(1 + (N - df + 0.5) / (df + 0.5)), above 0 for every df up to N. */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}
