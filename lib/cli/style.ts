import type { Io } from "./io.ts";

/** Functions that colour a text, or return it unchanged. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  /** For words that were searched for: bold and red, as `grep` has it, which is readable on light and dark terminals. */
  readonly match: (text: string) => string;
}

/**
 * The style of a stream. It has colours only on a terminal, and not with `NO_COLOR` (https://no-color.org) or `TERM=dumb`.
 */
export function styleFor(io: Io, stream: "stdout" | "stderr"): Style {
  const on = io.terminal[stream] && !io.env["NO_COLOR"] && io.env["TERM"] !== "dumb";
  const paint = (open: number, close: number) => (text: string) =>
    on ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  const [bold, red] = [paint(1, 22), paint(31, 39)];
  return {
    bold,
    dim: paint(2, 22),
    red,
    green: paint(32, 39),
    yellow: paint(33, 39),
    match: (text) => bold(red(text)),
  };
}
