/** Draws how often first hits are right beside the chances that they were given. */
import { CELLS, type Claim } from "./tables.ts";

const SYSTEMS: Readonly<Record<string, string>> = {
  keyword: "Keywords",
  "built-in": "Built-in vectors",
  local: "Local models",
};
const COLORS: Readonly<Record<string, string>> = {
  en: "#0969da",
  zh: "#cf222e",
  "en-zh": "#8250df",
  "zh-en": "#1a7f37",
};
const SIDE = 200, LEFT = 46, GAP = 34, TOP = 62, BOTTOM = 74;
const BINS = 10;
/** Fewer questions tell nothing. */
const LEAST = 8;

/** Returns an SVG picture: a panel for each system, a line for each pair of languages, a point for each tenth of the chance. */
export function reliabilitySvg(claims: readonly Claim[]): string {
  const systems = Object.keys(SYSTEMS).filter((name) => claims.some(({ system }) => system === name));
  const width = LEFT + systems.length * (SIDE + GAP), height = TOP + SIDE + BOTTOM;
  const panels = systems.map((system, i) =>
    panel(claims.filter((claim) => claim.system === system), SYSTEMS[system]!, LEFT + i * (SIDE + GAP))
  );
  const legend = Object.entries(CELLS).map(([cell, name], i) =>
    `<text x="${LEFT + 90 * i}" y="${height - 14}" style="fill: ${COLORS[cell]}">● ${name}</text>`
  );
  const title = "Chance of the first hit (across) and share of right first hits (up)";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title>
<style>text { font: 12px system-ui, sans-serif; fill: #1f2328 } .t { font-weight: 600 } .e { text-anchor: end } .m { text-anchor: middle }</style>
<rect width="${width}" height="${height}" rx="8" fill="#ffffff" stroke="#d1d9e0"/>
<text x="${LEFT}" y="22" class="t" style="font-size: 14px">${title}</text>
${panels.join("\n")}
${legend.join("\n")}
</svg>
`;
}

function panel(claims: readonly Claim[], name: string, left: number): string {
  const x = (chance: number) => rounded(left + SIDE * chance),
    y = (share: number) => rounded(TOP + SIDE * (1 - share));
  const scale = [0, 0.5, 1].map((at) =>
    `<text x="${x(at)}" y="${TOP + SIDE + 18}" class="m">${100 * at} %</text><text x="${left - 6}" y="${
      y(at) + 4
    }" class="e">${100 * at}</text>`
  );
  const lines = Object.keys(CELLS).map((cell) => {
    const bins = Map.groupBy(
      claims.filter((claim) => claim.cell === cell),
      ({ chance }) => Math.min(BINS - 1, Math.floor(chance * BINS)),
    );
    const points = [...bins].filter(([, those]) => those.length >= LEAST).sort(([a], [b]) => a - b).map((
      [, those],
    ) => ({
      x: x(those.reduce((sum, { chance }) => sum + chance, 0) / those.length),
      y: y(those.filter(({ isRight }) => isRight).length / those.length),
      size: rounded(Math.min(9, 1.5 + Math.sqrt(those.length) / 2.5)),
    }));
    const path = points.map((point, i) => `${i === 0 ? "M" : "L"}${point.x} ${point.y}`).join("");
    const dots = points.map((point) =>
      `<circle cx="${point.x}" cy="${point.y}" r="${point.size}" fill="${COLORS[cell]}" fill-opacity=".6"/>`
    );
    return `<path d="${path}" fill="none" stroke="${COLORS[cell]}"/>${dots.join("")}`;
  });
  return `<text x="${left}" y="${TOP - 12}" class="t">${name}</text>
<rect x="${left}" y="${TOP}" width="${SIDE}" height="${SIDE}" fill="none" stroke="#d1d9e0"/>
<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#59636e" stroke-dasharray="4 4"/>
${scale.join("")}
${lines.join("\n")}`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
