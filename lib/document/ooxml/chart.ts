import { child, children, descendants, textOf, type XmlElement } from "../xml/mod.ts";

/** A chart as text. */
export interface Chart {
  /** Title and kind: `Sales by year (bar chart)`. */
  readonly caption: string;
  /** Data as a table: names of the series, then one row per category. Empty if there are no values. */
  readonly rows: readonly (readonly string[])[];
}

/** Most points of a chart that are shown. A larger chart is drawn from a sheet that contains its data. */
const MOST_POINTS = 1000;
const MOST_SERIES = 50;

/** Reads a chart part (`c:chartSpace`) from its cached values. */
export function readChart(space: XmlElement | undefined): Chart | undefined {
  const chart = child(space, "c:chart");
  if (chart === undefined) return undefined;
  const plots = children(child(chart, "c:plotArea")).filter((one) => one.name.endsWith("Chart"));
  const kind = [...new Set(plots.map((one) => kindOf(one.name)))].join(", ");
  const title = titleText(child(chart, "c:title"));
  const series = plots.flatMap((plot) => children(plot, "c:ser")).slice(0, MOST_SERIES).map((one) => ({
    name: cached(child(one, "c:tx")).get(0) ?? textOf(child(one, "c:tx", "c:v")),
    categories: cached(child(one, "c:cat") ?? child(one, "c:xVal")),
    values: cached(child(one, "c:val") ?? child(one, "c:yVal")),
  }));
  const first = series[0];
  const only = series.length === 1 ? first?.name ?? "" : "";
  const caption = title !== "" ? title : child(chart, "c:title") !== undefined ? only : "";
  const indices = new Set(series.flatMap((one) => [...one.categories.keys(), ...one.values.keys()]));
  const ordered = [...indices].sort((a, b) => a - b).slice(0, MOST_POINTS);
  const labels = series.find((one) => one.categories.size > 0)?.categories ?? new Map<number, string>();
  const rows = ordered.map((
    i,
  ) => [labels.get(i) ?? String(i + 1), ...series.map((one) => one.values.get(i) ?? "")]);
  const words = kind === "" ? "" : `${kind} chart`;
  return {
    caption: caption === "" ? capitalised(words) : words === "" ? caption : `${caption} (${words})`,
    rows: rows.length === 0 ? [] : [["", ...series.map((one) => one.name)], ...rows],
  };
}

/** Returns the kind of a chart by its element: `bar` for `c:bar3DChart`. */
function kindOf(name: string): string {
  return name.replace(/^c:|(?:3D)?Chart$/g, "").replace(/^ofPie$/, "pie");
}

function titleText(title: XmlElement | undefined): string {
  const rich = descendants(child(title, "c:tx", "c:rich"), "a:p").map((p) =>
    descendants(p, "a:t").map(textOf).join("")
  );
  const text = rich.length > 0 ? rich.join(" ") : [...cached(child(title, "c:tx")).values()].join(" ");
  return text.replace(/\s+/g, " ").trim();
}

/** Returns cached values by index: numbers, strings, or the innermost level of categories. */
function cached(element: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>();
  if (element === undefined) return points;
  const level = descendants(element, "c:lvl")[0] ?? element;
  const format = textOf(descendants(element, "c:formatCode")[0]);
  for (const point of descendants(level, "c:pt").slice(0, MOST_POINTS)) {
    const index = Number(point.attributes["idx"] ?? points.size);
    if (Number.isInteger(index) && index >= 0) {
      points.set(index, shown(textOf(child(point, "c:v")).trim(), format));
    }
  }
  return points;
}

/** Returns a number as text: 0.30000000000000004 becomes 0.3, and 0.25 becomes 25% if `format` is a percentage. */
function shown(value: string, format: string): string {
  const number = Number(value);
  if (value === "" || !Number.isFinite(number) || !/[.eE]/.test(value)) return value;
  return format.includes("%")
    ? `${Number((number * 100).toPrecision(6))}%`
    : String(Number(number.toPrecision(12)));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
