import type { Tried } from "./series.ts";
import { type Outcome, OUTCOMES, type Stage, STAGES } from "./types.ts";

/** Examples of defects in each group. */
const EXAMPLES = 5;

/**
 * Returns the results as a Markdown table: a row for each group or kind with the outcomes of the searches and the runs that
 * failed.
 */
export function seriesTable(results: readonly Tried[], by: "group" | "kind"): string {
  const rows = [...Map.groupBy(results, (tried) => tried[by])].map(([name, tries]) => [
    name,
    tries.length,
    ...OUTCOMES.map((outcome) => count(tries, ["search", "registry"], [outcome])),
    count(tries, ["other folder"], ["different", "internal error", "hang"]),
    count(tries, ["index run"], ["refused", "different", "internal error", "hang"]),
    count(tries, ["run after touch"], ["refused", "different", "internal error", "hang"]),
    count(tries, ["full run"], ["refused", "different", "internal error", "hang"]),
    tries.filter(({ defects }) => defects.length > 0).length,
  ]);
  const header = [
    by,
    "tries",
    ...OUTCOMES,
    "other folder wrong",
    "wrong after index run",
    "wrong after touch",
    "wrong after full run",
    "defects",
  ];
  const total = header.map((_, i) => i === 0 ? "all" : rows.reduce((sum, row) => sum + Number(row[i]), 0));
  return [header, header.map((_, i) => i === 0 ? "---" : "--:"), ...rows, total]
    .map((row) => `| ${row.join(" | ")} |\n`).join("");
}

function count(
  tries: readonly Tried[],
  stages: readonly Stage[],
  outcomes: readonly Outcome[],
): number | string {
  return tries.filter((tried) =>
    stages.some((stage) => outcomes.includes(tried.outcomes[stage] ?? "same") && tried.outcomes[stage])
  ).length;
}

/** Returns some defects of each group with the seeds that reproduce them. */
export function examples(results: readonly Tried[]): string {
  const bad = results.filter(({ defects }) => defects.length > 0);
  return [...Map.groupBy(bad, ({ group }) => group)].map(([group, tries]) => {
    const lines = tries.slice(0, EXAMPLES).map(({ kind, seed, defects }) =>
      `- ${kind} (seed ${seed}): ${defects.join("; ")}\n`
    );
    return `\n**${group}**, ${tries.length} defects\n\n${lines.join("")}`;
  }).join("");
}

/** Returns the stages that a comma-separated text names, or all stages. */
export function stagesOf(text: string | undefined): readonly Stage[] {
  return text === undefined ? STAGES : STAGES.filter((stage) => text.split(",").includes(stage));
}
