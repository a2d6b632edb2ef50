import { pathToFileURL } from "node:url";
import type { Io } from "./io.ts";

/** The first release of each terminal that shows links, by its `TERM_PROGRAM`. */
const SINCE: Readonly<Record<string, readonly [number, number]>> = {
  "iTerm.app": [3, 1],
  WezTerm: [0, 0],
  ghostty: [0, 0],
  vscode: [1, 72],
  Hyper: [0, 0],
  rio: [0, 0],
  zed: [0, 0],
  tmux: [3, 4],
};

/** Terminals that show links, by their `TERM`. */
const TERMS = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|foot-.*|wezterm|contour.*)$/;

/** A release in VTE's numbering. GNOME Terminal with 0.50.0 crashes on a link. */
const VTE_WITH_LINKS = 5001;
const KONSOLE_WITH_LINKS = 201200;

/**
 * Whether stdout gets links (OSC 8). `FORCE_HYPERLINK` decides where it is set: 0 and `false` say no. Otherwise they are
 * written to a terminal that is known to show them, and not with `NO_COLOR` or `TERM=dumb`.
 */
export function showsLinks({ env, terminal }: Pick<Io, "env" | "terminal">): boolean {
  const forced = env["FORCE_HYPERLINK"];
  if (forced !== undefined) return !/^(?:0+|false)$/i.test(forced);
  const { TERM = "", TERM_PROGRAM: program = "", TERM_PROGRAM_VERSION: version = "" } = env;
  if (!terminal.stdout || env["NO_COLOR"] || TERM === "dumb") return false;
  const since = Object.hasOwn(SINCE, program) ? SINCE[program] : undefined;
  if (since !== undefined && isSince(version, since)) return true;
  // Inside tmux and screen the variables of the terminal around them remain.
  if (env["TMUX"] || /^(?:tmux|screen)/.test(TERM)) return false;
  return TERMS.test(TERM) || Boolean(env["WT_SESSION"] || env["KITTY_WINDOW_ID"]) ||
    Number(env["VTE_VERSION"]) >= VTE_WITH_LINKS || Number(env["KONSOLE_VERSION"]) >= KONSOLE_WITH_LINKS;
}

function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [first = 0, second = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return first > major || first === major && second >= minor;
}

/** A text that leads to a file where the terminal shows links. A URL has no control characters: they are percent-encoded. */
export function fileLink(text: string, path: string): string {
  return `\u001b]8;;${pathToFileURL(path).href}\u001b\\${text}\u001b]8;;\u001b\\`;
}
