export { MAX_TF, PostingsCollector } from "./collector.ts";
export { PostingsEncoder } from "./encoder.ts";
export { IndexTooLargeError, MAX_POSTINGS_BYTES, type Postings } from "./format.ts";
export { frequencyPart, inverseDocumentFrequency, lengthNorm } from "./frequency_part.ts";
export { PostingList } from "./list.ts";
export { type Bm25Context, type Scored, searchBm25, type WeightedList } from "./bm25.ts";
export { Scores } from "./scores.ts";
