/**
 * Evaluation of the search: metrics over judged queries, systems compared side by side.
 * @module
 */
export { readBeir, readQueryFile } from "./questions.ts";
export {
  type ClaimSet,
  evaluateSupport,
  parseSupportThreshold,
  readClaims,
  SUPPORT_METRICS,
  type SupportResult,
  supportShortfalls,
} from "./support.ts";
export {
  ANSWER_METRICS,
  answerCorrectness,
  type AnswerMetric,
  answerRelevancy,
  contextPrecision,
  contextRecall,
  cosine,
  faithfulness,
  type StatementCounts,
} from "./answer_metrics.ts";
export { DEGREES } from "./metrics.ts";
export type { DegreePrecision } from "./types.ts";
export { evaluate } from "./evaluate.ts";
export { folderCorpus, temporaryCorpus } from "./corpus.ts";
export {
  checkThresholds,
  defaultSystems,
  parseThreshold,
  type Shortfall,
  shortfalls,
  SYSTEM_NAMES,
  systemsNamed,
  type Threshold,
} from "./systems.ts";
export {
  type Corpus,
  type Estimate,
  type EvaluationProgress,
  type EvaluationResult,
  type JudgedQuery,
  type Metric,
  METRICS,
  type ModelsOf,
  type QuerySet,
  type System,
  type SystemResult,
  type TestCollection,
  type TestDocument,
  type WorstQuery,
} from "./types.ts";
