import { chartSvg, type Line, timeAxis } from "../pictures/chart.ts";
import type { Soaked, SoakOptions } from "./run.ts";
import { growth, quantile, type Sample } from "./sample.ts";

const BLUE = "#0969da", RED = "#cf222e", PALE = "#8fb7e8";
/** Problems of one kind that are listed. */
const LISTED = 20;

/** Returns the picture, the figures as JSON and as text, and whether everything was right. */
export function reportOf(
  { samples, tally, changes, verified }: Soaked,
  options: Omit<SoakOptions, "executable" | "onSample">,
): { svg: string; json: string; text: string; isSound: boolean } {
  const memory = growth(samples, (sample) => sample.memory);
  const handles = growth(samples, (sample) => sample.handles);
  const { searches, reads, marked, restarts, kills, wrong, lost, errors, delays } = tally;
  const figures = {
    minutes: round((samples.at(-1)?.at ?? 0) / 60),
    servers: options.clients,
    searches,
    reads,
    changes,
    restarts,
    kills,
    "old texts marked": marked,
    "wrong answers": wrong.length,
    "notes not found": lost.length,
    errors: errors.length,
    "verify --deep": verified.code,
    "seconds from a change to the first answer with it, p50 and p95": [0.5, 0.95].map((share) =>
      round((quantile(delays, share) ?? NaN) / 1000)
    ),
    "memory in MB, second and last quarter": [memory.early, memory.late].map(round),
    "open handles, second and last quarter": [handles.early, handles.late].map(round),
  };
  const problems = { wrong, lost, errors };
  const isSound = verified.code === 0 && Object.values(problems).every(({ length }) => length === 0);
  const listed = Object.fromEntries(
    Object.entries(problems).map(([name, list]) => [name, list.slice(0, LISTED)]),
  );
  const more = isSound ? [] : [JSON.stringify(listed, undefined, 1), verified.text];
  return {
    svg: pictureOf(samples, options.clients),
    json: JSON.stringify({ options, figures, problems: listed, samples }, undefined, 1) + "\n",
    text: [...Object.entries(figures).map(([name, value]) => `${name}: ${value}`), ...more].join("\n"),
    isSound,
  };
}

function pictureOf(samples: readonly Sample[], clients: number): string {
  const times = samples.map(({ at }) => at);
  const each = (of: (sample: Sample) => readonly number[]): Line[] => [
    ...Array.from({ length: samples[0]?.memory.length ?? 0 }, (_, i): Line => ({
      color: PALE,
      values: samples.map((sample) => of(sample)[i]),
    })),
    {
      name: "median of the servers",
      color: BLUE,
      values: samples.map((sample) => quantile(of(sample), 0.5)),
    },
  ];
  return chartSvg(`${clients} servers on two folders that change`, timeAxis(times), [
    { title: "Memory of a server", unit: "MB", lines: each((sample) => sample.memory) },
    { title: "Open handles of a server", unit: "count", lines: each((sample) => sample.handles) },
    {
      title: "Time of an answer",
      unit: "ms",
      isLogarithmic: true,
      lines: [
        { name: "p95", color: RED, values: samples.map(({ p95 }) => p95) },
        { name: "p50", color: BLUE, values: samples.map(({ p50 }) => p50) },
      ],
    },
  ]);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
