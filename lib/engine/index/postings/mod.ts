export { MAX_TF, PostingsCollector } from "./collector.ts";
export { PostingsEncoder } from "./encoder.ts";
export {
  ChunkLengths,
  frequencyPart,
  IndexTooLargeError,
  inverseDocumentFrequency,
  K1,
  lengthNorm,
  MAX_POSTINGS_BYTES,
  type Norms,
  type Postings,
} from "./format.ts";
export {
  GroupMerger,
  type GroupPostings,
  scoreChunks,
  searchBm25,
  TopScores,
  type WeightedList,
} from "./bm25.ts";
export { PostingList } from "./list.ts";
