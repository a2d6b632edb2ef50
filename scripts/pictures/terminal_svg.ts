import { displayWidth } from "#program/terminal_text.ts";

/** Width of a terminal column in pixels: .6 em, the advance of common monospace fonts. */
const COLUMN = 7.8;
const FONT_SIZE = 13;
/** A wide character takes two columns, and its advance is 1 em. */
const WIDE_FONT_SIZE = 2 * COLUMN;
const LINE = 18, MARGIN = 16, TITLE_BAR = 30;

const FONTS =
  "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', " +
  "'PingFang SC', 'Microsoft YaHei', 'WenQuanYi Zen Hei', monospace";

/** CSS classes for the codes (SGR) that the program writes to a terminal. */
const CLASSES: Readonly<Record<string, string>> = { 1: "b", 2: "d", 31: "r", 32: "g", 33: "y" };

/** A part of a line with one style. */
interface Span {
  readonly text: string;
  readonly style: string;
}

/** Colours of a terminal window. */
interface Theme {
  readonly ground: string;
  readonly border: string;
  readonly text: string;
  readonly bold: string;
  readonly dim: string;
  readonly red: string;
  readonly green: string;
  readonly yellow: string;
}

/** The two kinds of terminals. */
export const THEMES = {
  dark: {
    ground: "#0d1117",
    border: "#3d444d",
    text: "#d1d7e0",
    bold: "#ffffff",
    dim: "#8d96a0",
    red: "#ff7b72",
    green: "#56d364",
    yellow: "#e3b341",
  },
  light: {
    ground: "#ffffff",
    border: "#d1d9e0",
    text: "#1f2328",
    bold: "#000000",
    dim: "#59636e",
    red: "#d1242f",
    green: "#1a7f37",
    yellow: "#9a6700",
  },
} as const satisfies Record<string, Theme>;

/** Options of {@linkcode terminalSvg}. */
export interface TerminalOptions {
  readonly title: string;
  /** `dark` by default: a dark window looks the same on light and dark pages. */
  readonly theme?: keyof typeof THEMES;
  /** Width of the terminal in columns. By default the longest line decides it. */
  readonly columns?: number;
}

/**
 * Draws lines of terminal output as an SVG picture of a terminal window. Lines may contain SGR codes for bold, dim, red, green
 * and yellow.
 */
export function terminalSvg(
  lines: readonly string[],
  { title, theme = "dark", columns = Math.max(...lines.map(displayWidth)) }: TerminalOptions,
): string {
  const { ground, border, text, bold, dim, red, green, yellow } = THEMES[theme];
  const width = Math.ceil(columns * COLUMN) + 2 * MARGIN;
  const height = TITLE_BAR + lines.length * LINE + MARGIN;
  const rows = lines.map((line, at) => {
    const y = TITLE_BAR + (at + 0.75) * LINE;
    return `<text y="${y}">${drawn(spansOf(line))}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: ${FONT_SIZE}px ${FONTS}; fill: ${text}; white-space: pre }
.w { font-size: ${WIDE_FONT_SIZE}px }
.b { font-weight: 700; fill: ${bold} }
.d { fill: ${dim} }
.r { font-weight: 700; fill: ${red} }
.g { fill: ${green} }
.y { fill: ${yellow} }
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${ground}" stroke="${border}"/>
<circle cx="18" cy="15" r="5" fill="#ff5f57"/><circle cx="36" cy="15" r="5" fill="#febc2e"/><circle cx="54" cy="15" r="5" fill="#28c840"/>
${rows.join("\n")}
</svg>
`;
}

/** Returns the lines of text in a picture that {@linkcode terminalSvg} drew. */
export function svgLines(svg: string): string[] {
  return [...svg.matchAll(/<text y="[^"]*">(.*?)<\/text>/g)].map(([, content = ""]) =>
    content.replace(/<[^>]*>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
  );
}

/** Returns the spans of one line, each placed at its column, so that the font cannot shift the text after it. */
function drawn(spans: readonly Span[]): string {
  let column = 0;
  return spans.map(({ text, style }) => {
    // Some renderers drop or move spaces at the start of an element, so spaces are put before it.
    const shown = text.trimStart();
    const spaces = text.slice(0, text.length - shown.length);
    const from = column + spaces.length;
    column += displayWidth(text);
    if (shown === "") return spaces;
    const columns = displayWidth(shown);
    const wide = columns === 2 * [...shown].length ? "w" : "";
    const classes = [style, wide].filter((name) => name !== "").join(" ");
    const place = `x="${(MARGIN + from * COLUMN).toFixed(1)}" textLength="${(columns * COLUMN).toFixed(1)}"`;
    return `${spaces}<tspan ${classes === "" ? "" : `class="${classes}" `}${place}>${escaped(shown)}</tspan>`;
  }).join("");
}

/** Splits a line where its style changes, and between characters of one column and of two. */
function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let style = "";
  // deno-lint-ignore no-control-regex -- the escape that opens a code
  for (const [, code, text = ""] of line.matchAll(/\u001b\[(\d+)m|([^\u001b]+)/g)) {
    if (code !== undefined) {
      style = CLASSES[code] ?? "";
      continue;
    }
    let part = "", last = 0;
    for (const char of text) {
      const width = displayWidth(char);
      if (part !== "" && width !== last) {
        spans.push({ text: part, style });
        part = "";
      }
      part += char;
      last = width;
    }
    spans.push({ text: part, style });
  }
  return spans;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
