/**
 * Language models on servers that the user configured, and their prompts.
 * @module
 */
export * from "./budget.ts";
export * from "./prompts.ts";
export { countTokens } from "./tokens.ts";
export * from "./types.ts";
