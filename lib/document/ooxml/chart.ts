import { child, children, descendants, textOf, type XmlElement } from "../xml/mod.ts";

/** A chart as text. */
export interface Chart {
  /** Its title and kind: `Sales by year (bar chart)`. */
  readonly caption: string;
  /** A table: names of the series, then one row for each category. Empty if it has no values. */
  readonly rows: readonly (readonly string[])[];
}

/** Points of a chart that are shown; a chart of more is drawn from a sheet that has them. */
const MOST_POINTS = 1000;
const MOST_SERIES = 50;

/** Reads a chart part (`c:chartSpace`) from the values cached in it. */
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

/** `c:bar3DChart` → `bar`. */
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

/** Values by index from the cache below: of numbers, strings, or the innermost of several levels of categories. */
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

/** 0.30000000000000004 is shown as 0.3, and 0.25 as 25% where the format says so. */
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
