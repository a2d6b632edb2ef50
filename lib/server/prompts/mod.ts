/** The prompts, one file each. */
import { answerWithCitations, compareDocuments, summariseFolder } from "./prompts.ts";
import type { Prompt } from "./prompt.ts";

/** All prompts, in the order in which the client receives them. */
export const PROMPTS: readonly Prompt[] = [answerWithCitations, compareDocuments, summariseFolder];
