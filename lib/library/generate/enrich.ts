/**
 * The task `enrich`: a title, a summary, tags and questions for a chunk, by which it is found in other words than its own.
 */
import * as z from "zod";
import { cleaned, cleanedList } from "./cleaned.ts";
import type { GeneratedTask } from "./generator.ts";
import type { Grounding } from "./grounded.ts";

/** A chunk, as a model reads it. */
export interface EnrichInput {
  readonly text: string;
  /** Title of the document and headings above the chunk, outermost first. No path: a renamed file is not asked for again. */
  readonly context: readonly string[];
}

const ENRICHED = z.object({
  title: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  questions: z.array(z.string()),
});

/** The texts of a model about a chunk. Parts that were rejected are empty. */
export type Enriched = z.infer<typeof ENRICHED>;

/** Most UTF-16 units of each part, and most parts of a list. */
const TITLE = 120, SUMMARY = 500, TAG = 40, QUESTION = 160, TAGS = 8, QUESTIONS = 4;

/** The task. `grounding` is asked for with the first answer. */
export function enrichTask(grounding: () => Grounding): GeneratedTask<EnrichInput, Enriched> {
  return {
    name: "enrich",
    version: 1,
    schema: ENRICHED,
    maxOutputTokens: 600,
    values: ({ text, context }) => ({ context: context.join(" > "), text }),
    checked: (value, input) => groundedParts(value, input, grounding()),
  };
}

/** Returns the parts without what acts on a reader and without what the chunk does not say; `undefined` if nothing is left. */
function groundedParts(
  value: Enriched,
  { text, context }: EnrichInput,
  grounding: Grounding,
): Enriched | undefined {
  const source = grounding.of([...context, text].join("\n"));
  const whole = (texts: readonly string[]) => texts.filter((one) => source.whole(one) !== undefined);
  const parts = {
    title: source.whole(cleaned(value.title, TITLE)) ?? "",
    summary: source.sentences(cleaned(value.summary, SUMMARY)) ?? "",
    tags: whole(cleanedList(value.tags, TAG, TAGS)),
    questions: whole(cleanedList(value.questions, QUESTION, QUESTIONS)),
  };
  return Object.values(parts).every(({ length }) => length === 0) ? undefined : parts;
}
