/**
 * The answers of the contract, `{code, message, data}`, and their texts, for the command line and for MCP.
 * @module
 */
export {
  type Answer,
  type AnswerLimit,
  type AnswerShape,
  fittedText,
  isWithin,
  sentTokens,
  type TextAnswer,
} from "./shape.ts";
export { estimatedTokens, lengthWithin } from "./estimated_tokens.ts";
export { briefExplanation, explanationResult, explanationText } from "./explanation.ts";
export {
  CHECKED_DATA,
  checkedAnswer,
  checkSummary,
  linesText,
  sentenceLines,
  sourceData,
} from "./checked_answer.ts";
export { chunkContextAnswer } from "./chunk_context.ts";
export {
  type AskedDocument,
  collectionsAnswer,
  DOCUMENTS_TEXT_DATA,
  documentsAnswer,
  documentsTextAnswer,
  facetLines,
  facetsData,
  STATUS_DATA,
  statusAnswer,
} from "./documents.ts";
export {
  DECLARED_PART_DATA,
  DECLARED_RAW_DATA,
  DECLARED_SECTIONS_DATA,
  DECLARED_SUMMARY_DATA,
  documentPartAnswer,
  documentSectionsAnswer,
  rawFileAnswer,
  summaryAnswer,
} from "./document.ts";
export { DECLARED_TABLE_DATA, tableAnswer } from "./table.ts";
export { INGESTED_DATA, ingestedAnswer, REEMBEDDED_DATA, reembeddedAnswer } from "./updates.ts";
export { relatedAnswer } from "./related.ts";
export {
  citationData,
  CITATIONS_DATA,
  citationsAnswer,
  errorLine,
  errorMessage,
  hintsOf,
  shortened,
} from "./citations.ts";
export {
  DECLARED_PICTURE_DATA,
  DECLARED_PICTURES_DATA,
  type GivenImage,
  givenImageData,
  givenImagesText,
  imageOfId,
  type NamedPicture,
  pagePictureAnswer,
  pictureAnswer,
  pictureName,
  pictureNamed,
  picturesAnswer,
  readPicture,
} from "./pictures.ts";
export { fittedSearch, needsFocus } from "./fitted_search.ts";
export { nearestNamesLines, quotedAnswer, type Quotes, untrusted } from "./quoted.ts";
export {
  alsoText,
  DECLARED_SEARCH_DATA,
  hitCitation,
  pageTexts,
  searchAnswer,
  type SearchData,
  searchResult,
  type ShownHits,
} from "./search_answer.ts";
export { type GateText, whyNotAnswer, type WhyNotData } from "./why_not.ts";
