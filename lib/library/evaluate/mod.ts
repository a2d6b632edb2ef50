/**
 * Evaluation of the search and of answers: metrics over questions, systems compared side by side.
 * @module
 */
export { parseQuestions, type QuestionFile, readBeir, readQuestions } from "./questions.ts";
export {
  type AnswerFigure,
  type AnswerJudge,
  type AnswerResult,
  type AnswerShortfall,
  answerShortfalls,
  type AnswerThreshold,
  evaluateAnswers,
  type JudgeResult,
  parseAnswerThreshold,
  type Sample,
  samplesOf,
  type Values,
} from "./answers.ts";
export {
  compareRuns,
  keepRun,
  keptRuns,
  namedRun,
  type RankChange,
  rankChanges,
  readRun,
  type Run,
  type RunComparison,
  type RunDifference,
  runOf,
} from "./runs.ts";
export { type DraftedQuestion, draftQuestions } from "./draft.ts";
export { askedAbout, modelJudge } from "./model_judge.ts";
export { externalJudge } from "./external_judge.ts";
export { OFFLINE, offlineJudge } from "./offline_judge.ts";
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
  type AnsweredQuestion,
  type AnswerSet,
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
