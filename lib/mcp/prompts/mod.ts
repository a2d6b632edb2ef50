/** The prompts, one file each. */
import { answerWithCitations } from "./answer_with_citations.ts";
import { compareDocuments } from "./compare_documents.ts";
import type { Prompt } from "./prompt.ts";
import { summariseFolder } from "./summarise_folder.ts";

/** All prompts, in the order in which the client receives them. */
export const PROMPTS: readonly Prompt[] = [answerWithCitations, compareDocuments, summariseFolder];
