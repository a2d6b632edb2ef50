import { chartSvg, type Line, logarithmicAxis } from "../pictures/chart.ts";
import type { Samples } from "./samples.ts";

/** Figures of one size, language and mode. */
export interface Grown {
  readonly chunks: number;
  readonly language: string;
  readonly mode: string;
  readonly samples: Samples;
}

const COLORS = ["#0969da", "#cf222e", "#8250df", "#1a7f37"];

const PANELS = [
  { title: "Indexing", unit: "s", figure: "index s" },
  { title: "Most memory of indexing", unit: "MB", figure: "peak of indexing MB" },
  { title: "Memory while serving", unit: "MB", figure: "serving MB" },
  { title: "Index on disk", unit: "MB", figure: "index on disk MB" },
  { title: "Search over stdio, p50", unit: "ms", figure: "search p50 ms" },
  { title: "Update of one file", unit: "ms", figure: "update ms" },
] as const;

const NAMES: Readonly<Record<string, string>> = {
  "en keyword": "English",
  "en hybrid": "English, with vectors",
  "zh keyword": "Chinese",
  "zh hybrid": "Chinese, with vectors",
};

/** Draws figures over the number of chunks. `side`: number of the program. */
export function growthPicture(all: readonly Grown[], side: number): string {
  const sizes = [...new Set(all.map(({ chunks }) => chunks))].sort((a, b) => a - b);
  const series = [...new Set(all.map(({ language, mode }) => `${language} ${mode}`))];
  const lines = (figure: string): Line[] =>
    series.map((name, i) => ({
      name: NAMES[name]!,
      color: COLORS[i % COLORS.length]!,
      values: sizes.map((size) => {
        const found = all.find(({ chunks, language, mode }) =>
          chunks === size && `${language} ${mode}` === name
        );
        const { now } = found?.samples.compared(figure, side + 1) ?? {};
        return now === undefined || Number.isNaN(now) ? undefined : now;
      }),
    }));
  return chartSvg(
    "Growth with the number of chunks",
    logarithmicAxis(sizes),
    PANELS.map(({ title, unit, figure }) => ({ title, unit, isLogarithmic: true, lines: lines(figure) })),
  );
}
