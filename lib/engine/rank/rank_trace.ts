/** The stages of a ranking as they are traced. Without a trace nothing is made for them. */
import type { FoundChunk } from "#engine/segments.ts";
import type { Facts, Span, Stage } from "#foundation/span.ts";

/** Traces a ranking. */
export interface RankTrace {
  /** The stage that those of the ranking are in. */
  readonly span: Span;
  /** Notes the candidates of a stage, best first. They are named after the search. */
  list(stage: Span, candidates: readonly FoundChunk[]): void;
}

/** Finds candidates, best first, as a stage of a trace. */
export async function tracedLeg(
  trace: RankTrace | undefined,
  stage: Stage,
  facts: Facts,
  find: () => Promise<readonly FoundChunk[]>,
): Promise<readonly FoundChunk[]> {
  if (trace === undefined) return await find();
  const span = trace.span.child(stage, facts);
  try {
    const found = await find();
    span.add({ counts: { found: found.length } });
    trace.list(span, found);
    span.end();
    return found;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
