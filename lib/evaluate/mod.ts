/**
 * Evaluation of the search: metrics over judged queries, systems compared side by side.
 * @module
 */
export { readBeir } from "./beir.ts";
export { type DegreePrecision, DEGREES } from "./degrees.ts";
export { evaluate } from "./evaluate.ts";
export { folderCorpus } from "./folder_corpus.ts";
export { readQueryFile } from "./query_file.ts";
export { defaultSystems, SYSTEM_NAMES, systemsNamed } from "./systems.ts";
export { temporaryCorpus } from "./temporary_corpus.ts";
export { checkThresholds, parseThreshold, shortfalls } from "./thresholds.ts";
export type { Shortfall, Threshold } from "./thresholds.ts";
export { METRICS } from "./types.ts";
export type {
  Corpus,
  Estimate,
  EvaluationProgress,
  EvaluationResult,
  JudgedQuery,
  Metric,
  ModelsOf,
  QuerySet,
  System,
  SystemResult,
  TestCollection,
  TestDocument,
  WorstQuery,
} from "./types.ts";
