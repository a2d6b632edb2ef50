import { deepEqual, equal } from "node:assert/strict";
import { fileLink, showsLinks } from "#program/commands/search/show_hits.ts";

const TERMINAL = { stdin: true, stdout: true, stderr: true };

/** Whether a terminal with these variables gets links. */
function linked(env: Record<string, string>, terminal = TERMINAL): boolean {
  return showsLinks({ env, terminal });
}

Deno.test("showsLinks() knows terminals by their variables", () => {
  for (
    const env of [
      { TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.5.0" },
      { TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.101.2" },
      { TERM_PROGRAM: "WezTerm", TERM_PROGRAM_VERSION: "20240203-110809-5046fc22" },
      { TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: "3.4", TERM: "tmux-256color", TMUX: "/tmp/t" },
      { TERM: "xterm-kitty" },
      { TERM: "alacritty" },
      { VTE_VERSION: "7006" },
      { KONSOLE_VERSION: "230804" },
      { WT_SESSION: "9c1f" },
    ]
  ) equal(linked(env), true, JSON.stringify(env));
});

Deno.test("showsLinks() writes none to terminals that are old, unknown, or around tmux", () => {
  for (
    const env of [
      {},
      { TERM: "xterm-256color" },
      { TERM_PROGRAM: "constructor" },
      { TERM_PROGRAM: "Apple_Terminal", TERM_PROGRAM_VERSION: "455" },
      { TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.0.15" },
      { TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.71.0" },
      { VTE_VERSION: "5000" },
      { VTE_VERSION: "7006", TMUX: "/tmp/t", TERM: "screen-256color" },
      { TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: "3.3a", TERM: "tmux-256color", WT_SESSION: "9c1f" },
    ]
  ) equal(linked(env), false, JSON.stringify(env));
});

Deno.test("showsLinks() heeds NO_COLOR, TERM=dumb and a stream that is no terminal, and FORCE_HYPERLINK before all", () => {
  const kitty = { TERM: "xterm-kitty" };
  const pipe = { ...TERMINAL, stdout: false };
  deepEqual(
    [
      linked({ ...kitty, NO_COLOR: "1" }),
      linked({ TERM: "dumb", VTE_VERSION: "7006" }),
      linked(kitty, pipe),
      linked({ ...kitty, FORCE_HYPERLINK: "0" }),
      linked({ ...kitty, FORCE_HYPERLINK: "false" }),
      linked({ FORCE_HYPERLINK: "1" }, pipe),
      linked({ FORCE_HYPERLINK: "", NO_COLOR: "1" }),
    ],
    [false, false, false, false, false, true, true],
  );
});

Deno.test({
  name: "fileLink() encodes every character of a path that a terminal reacts to",
  ignore: Deno.build.os === "windows",
}, () => {
  equal(
    fileLink("a", "/notes/备 份\u001b]8;;\u0007\n%\u009b.md"),
    "\u001b]8;;file:///notes/%E5%A4%87%20%E4%BB%BD%1B%5D8;;%07%0A%25%C2%9B.md\u001b\\a\u001b]8;;\u001b\\",
  );
});
