import { Arena } from "./arena.ts";
import { groupOf, kindsOf } from "./kinds/mod.ts";
import { Random } from "./random.ts";
import type { Kind, Outcome, Stage } from "./types.ts";
import { STAGES } from "./types.ts";
import { TryProcess } from "./try_process.ts";

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
