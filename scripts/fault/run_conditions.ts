import { Random } from "../damage/random.ts";
import { Arena, type ArenaOptions } from "./arena.ts";
import { CONDITIONS, type Outcome } from "./conditions.ts";
import { runProgram } from "./program.ts";
import { Untried } from "./untried.ts";

/** Options of {@linkcode runConditions}. */
export interface ConditionOptions {
  /** Tries of each condition. */
  readonly tries: number;
  readonly seed: number;
  readonly arena?: ArenaOptions;
  /** Path of an executable of the program; without it the sources run. */
  readonly executable?: string | undefined;
  readonly onTry?: (name: string, outcome: Outcome) => void;
}

/** All tries of a condition. `untried`: what the machine lacks for it. */
export interface TriedCondition {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  readonly untried?: string;
}

/** Lets the program run under each condition. */
export async function runConditions(
  { tries, seed, arena: options, executable, onTry }: ConditionOptions,
): Promise<TriedCondition[]> {
  using arena = await Arena.make(options);
  const results: TriedCondition[] = [];
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const random = new Random(seed);
    const run = (args: readonly string[], by: readonly string[] = []) =>
      runProgram(arena, args, { executable, by });
    const outcomes: Outcome[] = [];
    let untried: string | undefined;
    while (outcomes.length < tries && untried === undefined) {
      try {
        outcomes.push(await condition({ arena, random, run }));
        onTry?.(name, outcomes.at(-1)!);
      } catch (error) {
        if (!(error instanceof Untried)) throw error;
        untried = error.message;
      }
    }
    results.push({ name, outcomes, ...(untried === undefined ? {} : { untried }) });
  }
  return results;
}
