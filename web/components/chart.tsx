/** Lines over places in a row, with values from 0 to 1. uPlot is loaded with the first. The same numbers stand in a table beside it. */
import { useEffect, useRef, useState } from "preact/hooks";
import type UPlot from "uplot";
import { Notice } from "#web/components/notice.tsx";
import { theme } from "#web/theme.ts";

export interface Line {
  readonly name: string;
  /** A value at each place; null where there is none. */
  readonly values: readonly (number | null)[];
}

/** Pixels. */
const HEIGHT = 220;
/** Colours of lines in the style, and strokes that tell them apart without a colour. */
const COLOURS = 6;
const DASHES = [[], [8, 4], [2, 3], [12, 3, 2, 3]];

export function Chart({ label, places, lines }: {
  /** The name of the chart, which says where its numbers are. */
  readonly label: string;
  /** Names of the places. */
  readonly places: readonly string[];
  readonly lines: readonly Line[];
}) {
  const place = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const [error, setError] = useState<unknown>();
  const data = JSON.stringify([places, lines]);
  useEffect(() => {
    const gone = new AbortController();
    let plot: UPlot | undefined;
    const sizes = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (plot !== undefined && width > 0 && width !== plot.width) plot.setSize({ width, height: HEIGHT });
    });
    const draw = ({ default: Plot }: { readonly default: typeof UPlot }) => {
      if (gone.signal.aborted) return;
      plot?.destroy();
      // The style knows the colours of the theme; the drawing needs them resolved.
      const colours = [...legend.current!.children].map((item) => getComputedStyle(item).color);
      const { color: text } = getComputedStyle(place.current!);
      const grid = getComputedStyle(place.current!).borderColor;
      const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
      plot = new Plot(
        {
          width: Math.max(1, place.current!.clientWidth),
          height: HEIGHT,
          legend: { show: false },
          cursor: { show: false },
          scales: { x: { time: false, range: [-0.5, places.length - 0.5] }, y: { range: [0, 1.02] } },
          axes: [
            {
              ...axis,
              incrs: [1, 2, 5, 10, 20, 50],
              values: (_, splits) => splits.map((at) => places[at] ?? ""),
            },
            axis,
          ],
          series: [
            {},
            ...lines.map((_, at) => ({
              stroke: colours[at]!,
              width: 2,
              dash: DASHES[at % DASHES.length]!,
              points: { show: true, size: 6 },
            })),
          ],
        },
        [places.map((_, at) => at), ...lines.map(({ values }) => [...values])],
        place.current!,
      );
    };
    const load = () => import("uplot").then(draw).catch(setError);
    void load();
    sizes.observe(place.current!);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", load, { signal: gone.signal });
    return () => {
      gone.abort();
      sizes.disconnect();
      plot?.destroy();
    };
  }, [data, theme.value]);
  return (
    <figure class="chart">
      <div class="plot" ref={place} role="img" aria-label={label} />
      <ul class="legend" ref={legend}>
        {lines.map(({ name }, at) => <li key={name} class={`line-${at % COLOURS}`}>{name}</li>)}
      </ul>
      {error !== undefined && <Notice kind="warning">{String(error)}</Notice>}
    </figure>
  );
}
