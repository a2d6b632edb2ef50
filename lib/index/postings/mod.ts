export { MAX_TF, PostingsCollector } from "./collector.ts";
export { PostingsEncoder } from "./encoder.ts";
export { IndexTooLargeError, MAX_POSTINGS_BYTES, type Postings } from "./format.ts";
export { GroupMerger, type GroupPostings } from "./group.ts";
export { frequencyPart, inverseDocumentFrequency, K1, lengthNorm } from "./frequency_part.ts";
export { ChunkLengths, type Norms } from "./norms.ts";
export { PostingList } from "./list.ts";
export { scoreChunks, searchBm25, type WeightedList } from "./bm25.ts";
export { TopScores } from "./top.ts";
