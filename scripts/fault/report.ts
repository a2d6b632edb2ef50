import { COMMANDS } from "./states.ts";
import { FAULTS } from "./inject.ts";
import type { TriedCondition } from "./run_conditions.ts";
import type { Tried } from "./series.ts";

/** Returns the results as a Markdown table: a row for each fault and command, with how often the command ended in which way. */
export function seriesTable(results: readonly Tried[]): string {
  const head = ["fault", "command", "tries", "succeeded", "refused", "killed", "wrong afterwards"];
  const rowOf = (first: readonly string[], tries: readonly Tried[]) => [
    ...first,
    tries.length,
    ...(["succeeded", "refused", "killed"] as const).map((end) =>
      tries.filter((tried) => tried.end === end).length
    ),
    tries.filter(({ defects }) => defects.length > 0).length,
  ];
  const rows = FAULTS.flatMap((fault) =>
    Object.keys(COMMANDS).flatMap((command) => {
      const tries = results.filter((tried) => tried.fault === fault && tried.command === command);
      return tries.length === 0 ? [] : [rowOf([fault, command], tries)];
    })
  );
  return [head, head.map((_, i) => i < 2 ? "---" : "--:"), ...rows, rowOf(["all", ""], results)]
    .map((row) => `| ${row.join(" | ")} |\n`).join("");
}

/** Returns the conditions as a Markdown table: how often each was tried, how the program took it, and how often it was wrong. */
export function conditionTable(results: readonly TriedCondition[]): string {
  const rows = results.map(({ name, outcomes, untried }) => {
    const ends = Map.groupBy(outcomes, ({ end }) => end);
    const told = untried === undefined
      ? [...ends].map(([end, all]) => ends.size > 1 ? `${end} (${all.length})` : end).join("; ")
      : `not tried: ${untried.trim()}`;
    return [name, outcomes.length, told, outcomes.filter(({ defects }) => defects.length > 0).length];
  });
  return [["condition", "tries", "outcome", "wrong afterwards"], ["---", "--:", "---", "--:"], ...rows]
    .map((row) => `| ${row.join(" | ")} |\n`).join("");
}
