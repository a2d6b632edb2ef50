/**
 * Texts of language models in an index. It is loaded only where a model is used.
 * @module
 */
export {
  type EnrichTask,
  type GeneratedShare,
  generatedShare,
  type GeneratedSummary,
  makeGenerated,
  type RejectedChunks,
} from "./make_generated.ts";
export {
  type CaptionContext,
  type CaptionOptions,
  type CaptionShare,
  captionShare,
  type CaptionSummary,
  makeCaptions,
  type RejectedPictures,
} from "./make_captions.ts";
export { type RefinedShare, refinedShare, refineFiles } from "./refine_files.ts";
export { Refiner } from "./refiner.ts";
