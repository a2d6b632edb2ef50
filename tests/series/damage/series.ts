/** A series of tries: which kinds of damage in which order, the process that runs them, what counts as a defect, and the report. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { markdownTable, Random } from "../random.ts";
import { Arena, type Kind, type Outcome, OUTCOMES, type Stage, STAGES } from "./arena.ts";
import { groupOf, kindsOf } from "./kinds.ts";
import type { Result } from "./tried.ts";

/**
 * Full runs do not read the old index, and other folders do not read this one. After random damage, these stages run only
 * for one try in this many.
 */
const SAMPLED = 5;

/** Options of a series. */
export interface SeriesOptions {
  readonly seed: number;
  /** Number of tries, divided among the groups. */
  readonly tries: number;
  /** Only run kinds whose name begins with this. */
  readonly only?: string;
  /** Time limit of one stage in milliseconds. */
  readonly limitMs: number;
  readonly stages?: readonly Stage[];
  readonly onTry?: (tried: Tried, done: number, total: number) => void;
}

/** Result of one try. */
export interface Tried {
  readonly kind: string;
  readonly group: string;
  readonly seed: number;
  readonly outcomes: Readonly<Partial<Record<Stage, Outcome>>>;
  /** `stage: outcome` for each stage that is a defect. */
  readonly defects: readonly string[];
}

/** Damages an index repeatedly and returns how the program behaved in each try. */
export async function runSeries(options: SeriesOptions): Promise<Tried[]> {
  using arena = await Arena.make();
  const kinds = kindsOf(await arena.sound()).filter(({ name }) => name.startsWith(options.only ?? ""));
  const order = plan(kinds, options);
  await using process = new TryProcess(arena.path, options.limitMs);
  const results: Tried[] = [];
  for (const [kind, seed] of order) {
    const stages = stagesFor(kind, results.length, options.stages ?? STAGES);
    const tried = await tryOne(process, kind, seed, stages);
    results.push(tried);
    options.onTry?.(tried, results.length, order.length);
  }
  return results;
}

/** Divides the tries among the groups. Each group repeats its kinds in turn, each time with a different seed. */
function plan(kinds: readonly Kind[], { seed, tries }: SeriesOptions): [Kind, number][] {
  const random = new Random(seed);
  // The order is random, so that a short series contains all sorts of damage.
  const mixed = random.order(kinds.length).map((i) => kinds[i]!);
  const groups = [...Map.groupBy(mixed, groupOf).values()];
  // Damage that does not depend on the seed is tried once.
  const lots = groups.map((group) => ({
    group,
    left: isFixed(group[0]!) ? group.length : Infinity,
    done: 0,
  }));
  const order: [Kind, number][] = [];
  while (order.length < tries && lots.some(({ left }) => left > 0)) {
    for (const lot of lots) {
      if (lot.left <= 0 || order.length >= tries) continue;
      lot.left--;
      order.push([lot.group[lot.done++ % lot.group.length]!, random.below(2 ** 31)]);
    }
  }
  return order;
}

function isFixed(kind: Kind): boolean {
  return /^(?:shipped|registry)/.test(groupOf(kind));
}

function stagesFor({ name, only }: Kind, done: number, stages: readonly Stage[]): readonly Stage[] {
  if (only !== undefined) return [only];
  const byChance = /^(?:flipped|zeroed|in place)/.test(name);
  if (!byChance || Math.floor(done / SAMPLED) % SAMPLED === 0) return stages;
  return stages.filter((stage) => stage === "search" || stage === "index run");
}

async function tryOne(
  process: TryProcess,
  kind: Kind,
  seed: number,
  stages: readonly Stage[],
): Promise<Tried> {
  const outcomes: Partial<Record<Stage, Outcome>> = {};
  const defects: string[] = [];
  for (const stage of stages) {
    const { outcome, detail } = await process.do(kind.name, seed, stage);
    outcomes[stage] = outcome;
    if (isDefect(kind, stage, outcome)) defects.push(`${stage}: ${outcome}${detail ? ` (${detail})` : ""}`);
  }
  return { kind: kind.name, group: groupOf(kind), seed, outcomes, defects };
}

function isDefect({ isBelieved }: Kind, stage: Stage, outcome: Outcome): boolean {
  if (outcome === "same") return false;
  if (outcome === "internal error" || outcome === "hang" || stage === "full run") return true;
  // A run reuses the contents of an index with a valid seal. Otherwise it reads only the folder.
  return !isBelieved && (outcome === "different" || stage === "index run" || stage === "run after touch");
}

/** The process for the tries. It is restarted whenever a try hangs. */
export class TryProcess implements AsyncDisposable {
  #child: ChildProcess | undefined;
  #lines: AsyncIterator<string> | undefined;

  /** `limitMs`: time limit of one stage in milliseconds. */
  constructor(readonly arena: string, readonly limitMs: number) {}

  /**
   * Runs one stage of a try. Reports a stage over the time limit as a hang, and the end of the process as an internal
   * error.
   */
  async do(kind: string, seed: number, stage: Stage): Promise<Result> {
    if (this.#child === undefined) await this.#start();
    this.#child!.stdin!.write(`${JSON.stringify([kind, seed, stage])}\n`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), this.limitMs);
    });
    const line = await Promise.race([late, this.#lines!.next()]);
    clearTimeout(timer);
    if (line !== "late" && !line.done) return JSON.parse(line.value);
    await this[Symbol.asyncDispose]();
    return line === "late"
      ? { outcome: "hang", detail: `no end after ${this.limitMs / 1000} s` }
      : { outcome: "internal error", detail: "the process ended" };
  }

  async #start(): Promise<void> {
    const child = join(import.meta.dirname!, "child.ts");
    const args = ["run", "--quiet", "--no-prompt", "--no-check", "--allow-all", child, this.arena];
    this.#child = spawn(Deno.execPath(), args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdin!.on("error", () => {});
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
    if ((await this.#lines.next()).done) throw new Error("the process for the tries did not start");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  }
}

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
    ...(["index run", "run after touch", "full run"] as const).map((stage) =>
      count(tries, [stage], OUTCOMES.filter((outcome) => outcome !== "same"))
    ),
    tries.filter(({ defects }) => defects.length > 0).length,
  ]);
  const header = [by, "tries", ...OUTCOMES, "other folder wrong", ...WRONG_AFTER, "defects"];
  const total = header.map((_, i) => i === 0 ? "all" : rows.reduce((sum, row) => sum + Number(row[i]), 0));
  return markdownTable(header, [...rows, total]);
}

const WRONG_AFTER = ["wrong after index run", "wrong after touch", "wrong after full run"];

function count(
  tries: readonly Tried[],
  stages: readonly Stage[],
  outcomes: readonly Outcome[],
): number {
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
