/**
 * Texts that language models make for a collection: asked for once, checked, and kept.
 * @module
 */
export { Estimator, type TaskEstimate } from "./estimator.ts";
export * from "./generator.ts";
export * from "./caption.ts";
export { cleaned } from "./cleaned.ts";
export { type Enriched, type EnrichInput, enrichTask } from "./enrich.ts";
export { GroundedTexts, Grounding } from "./grounded.ts";
export { editOf, REFINE, type Refined, type RefineInput } from "./refine.ts";
