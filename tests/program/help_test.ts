import { deepEqual, equal, match } from "node:assert/strict";
import { COMMANDS } from "#program/commands/declarations.ts";
import { displayWidth } from "#program/terminal_text.ts";
import { helpIn } from "#program/help.ts";
import { type Help, parseArguments } from "#program/parse.ts";

const TYPED = ["", "config", ...COMMANDS.filter(({ help }) => help !== undefined).map(({ name }) => name)];

function helpAfter(argv: readonly string[], language: "en" | "zh" = "en"): Help {
  return parseArguments(argv, undefined, helpIn(language)) as Help;
}

function helpOf(name: string, language: "en" | "zh"): Help {
  return helpAfter([...name.split(" ").filter((word) => word !== ""), "--help"], language);
}

Deno.test("the help of every command fits 80 columns in both languages", () => {
  for (const language of ["en", "zh"] as const) {
    for (const name of TYPED) {
      const tooWide = helpOf(name, language).text.split("\n").filter((line) => displayWidth(line) > 80);
      deepEqual(tooWide, [], name);
    }
  }
});

Deno.test("config shows its commands, also with the flags of every command", () => {
  for (const argv of [["config"], ["config", "--help"], ["config", "--language", "en"], ["help", "config"]]) {
    const { command, text, asked } = helpAfter(argv);
    equal(command, "help", argv.join(" "));
    equal(asked, true);
    deepEqual(
      [...text.split("Commands:\n")[1]!.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name),
      ["check", "init", "encrypt", "decrypt"],
    );
  }
});

Deno.test("the help of a flag names no other command, in either language", () => {
  const names = COMMANDS.filter(({ help }) => help !== undefined).map(({ name }) => name).join("|");
  // "same as the serve command" and the like are about the command itself; "setup: …" is about another one.
  const ofAnother = new RegExp(`(?:^|[;；,，] ?)(?:${names})[:：]`);
  for (const language of ["en", "zh"] as const) {
    for (const name of TYPED) {
      const text = helpOf(name, language).text.replace(/\s*\n\s+(?![-\s])/g, " ");
      deepEqual(text.split("\n").filter((line) => /^ {2}-/.test(line) && ofAnother.test(line)), [], name);
    }
  }
  match(helpOf("restore", "en").text.replace(/\s+/g, " "), /--force do not ask: replace an existing index/);
  match(helpOf("config init", "en").text, /--force +overwrite an existing file\n/);
});
