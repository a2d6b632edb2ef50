/** Lines that are drawn below each other over one axis. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  /** Whether each step of the scale is ten times the one before. */
  readonly isLogarithmic?: boolean;
  readonly lines: readonly Line[];
}

/** The axis below all panels. Places are shares of the width. */
export interface Axis {
  /** Places of the values of each line. */
  readonly places: readonly number[];
  readonly labels: readonly { readonly place: number; readonly text: string }[];
}

/** Values at the places of the axis. */
export interface Line {
  readonly name?: string;
  readonly color: string;
  readonly values: readonly (number | undefined)[];
}

const WIDTH = 760, LEFT = 58, RIGHT = 16, TOP = 42, PANEL = 150, GAP = 46, BOTTOM = 34;
/** Points that fit beside each other. Each shows the median of its values. */
const POINTS = 300;

/** An axis of time. `times`: seconds. */
export function timeAxis(times: readonly number[]): Axis {
  const end = Math.max(1, times.at(-1) ?? 1);
  return {
    places: times.map((at) => at / end),
    labels: stepsTo(end / 60, 6).filter((at) => at * 60 <= end)
      .map((at) => ({ place: at * 60 / end, text: `${at} min` })),
  };
}

/** A logarithmic axis on which each value has a label. */
export function logarithmicAxis(values: readonly number[]): Axis {
  const [first, last] = [Math.min(...values), Math.max(...values)].map(Math.log) as [number, number];
  // A single value is drawn at the left.
  const place = (value: number) => (Math.log(value) - first) / (last - first || 1);
  return {
    places: values.map(place),
    labels: values.map((value) => ({ place: place(value), text: value.toLocaleString("en") })),
  };
}

/** Draws panels as an SVG picture. */
export function chartSvg(title: string, axis: Axis, panels: readonly Panel[]): string {
  const height = TOP + panels.length * (PANEL + GAP) - GAP + BOTTOM;
  const x = (place: number) => LEFT + (WIDTH - LEFT - RIGHT) * place;
  const bottom = height - BOTTOM;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${title}</title>
<style>text { font: 12px system-ui, sans-serif; fill: #1f2328 } .t { font-weight: 600 } .e { text-anchor: end } .m { text-anchor: middle }</style>
<rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff" stroke="#d1d9e0"/>
<text x="${LEFT}" y="22" class="t" style="font-size: 14px">${title}</text>
${panels.map((panel, i) => panelSvg(panel, axis.places, x, TOP + i * (PANEL + GAP))).join("\n")}
${
    axis.labels.map(({ place, text }) =>
      `<text x="${rounded(x(place))}" y="${bottom + 18}" class="${place > .95 ? "e" : "m"}">${text}</text>`
    ).join("\n")
  }
</svg>
`;
}

function panelSvg(
  { title, unit, isLogarithmic = false, lines }: Panel,
  places: readonly number[],
  x: (at: number) => number,
  top: number,
): string {
  const all = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const greatest = Math.max(1, ...all);
  const steps = isLogarithmic ? powersBetween(Math.min(greatest, ...all), greatest) : stepsTo(greatest, 4);
  const least = steps[0]!, most = steps.at(-1)!;
  const base = top + 20, floor = top + PANEL;
  const share = (value: number) =>
    isLogarithmic ? Math.log10(Math.max(least, value) / least) / Math.log10(most / least) : value / most;
  const y = (value: number) => floor - (floor - base) * share(value);
  const named = lines.filter(({ name }) => name !== undefined);
  const legend = named.map(({ name, color }) => `<tspan style="fill: ${color}">${name}</tspan>`).join(
    " \u00a0 ",
  );
  return [
    `<text x="${LEFT}" y="${top + 10}" class="t">${title} (${unit})</text>`,
    ...steps.map((value) =>
      `<path d="M${LEFT} ${rounded(y(value))}H${WIDTH - RIGHT}" stroke="#d1d9e0"/>` +
      `<text x="${LEFT - 6}" y="${rounded(y(value) + 4)}" class="e">${value}</text>`
    ),
    ...lines.map(({ values, color, name }) =>
      `<path d="${pathOf(thinned(places, values), x, y)}" fill="none" stroke="${color}" stroke-width="${
        name === undefined ? .7 : 1.6
      }"/>`
    ),
    `<text x="${WIDTH - RIGHT}" y="${top + 10}" class="e">${legend}</text>`,
  ].join("\n");
}

function pathOf(
  points: readonly (readonly [number, number])[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  return points.map(([at, value], i) => `${i === 0 ? "M" : "L"}${rounded(x(at))} ${rounded(y(value))}`).join(
    "",
  );
}

/** Returns at most {@linkcode POINTS} points. */
function thinned(places: readonly number[], values: readonly (number | undefined)[]): [number, number][] {
  const size = Math.ceil(places.length / POINTS);
  const points: [number, number][] = [];
  for (let from = 0; from < places.length; from += size) {
    const some = values.slice(from, from + size).filter((value) => value !== undefined).sort((a, b) => a - b);
    if (some.length > 0) points.push([places[from]!, some[some.length >> 1]!]);
  }
  return points;
}

/** Returns round numbers from 0 to `end` or a little more, about `count` of them. */
function stepsTo(end: number, count: number): number[] {
  const rough = end / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= rough)!;
  return Array.from(
    { length: Math.ceil(end / step - 1e-9) + 1 },
    (_, i) => Number((i * step).toPrecision(6)),
  );
}

/** Returns the powers of ten from `least` or a little less to `greatest` or a little more. */
function powersBetween(least: number, greatest: number): number[] {
  const first = Math.floor(Math.log10(least)), last = Math.ceil(Math.log10(greatest));
  return Array.from({ length: Math.max(1, last - first) + 1 }, (_, i) => 10 ** (first + i));
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
