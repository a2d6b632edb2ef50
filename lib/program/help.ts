/**
 * The help of the program and its commands in two languages,
 * in lines that also break in Chinese.
 */
import type { Argument, Command } from "commander";
import { type Language, message, type MessageKey } from "#foundation/messages/mod.ts";
import { displayWidth } from "./terminal_text.ts";
import { type FlagName, OPTIONS } from "./options.ts";
import type { HelpTexts } from "./parse.ts";

/** Columns of the help. It is not wider on a wide terminal, since long lines are hard to read. */
const HELP_WIDTH = 80;

/** The titles of the help's parts, as commander writes them, and their messages. */
const TITLES: Readonly<Record<string, MessageKey>> = {
  "Usage:": "cli_help_usage",
  "Arguments:": "cli_help_arguments",
  "Options:": "cli_help_options",
  "Commands:": "cli_help_commands",
};

/** The texts of the help in a language. */
export function helpIn(language: Language): HelpTexts {
  return {
    of: (key) => message(language, key),
    lay: (parser) =>
      parser.configureHelp({
        helpWidth: HELP_WIDTH,
        displayWidth,
        // commander breaks lines at spaces only, which Chinese has not.
        boxWrap: wrapWords,
        commandUsage: (of) => usage(of, language),
        subcommandTerm: (of) => [of.name(), ...of.registeredArguments.map(termOf)].join(" "),
        styleTitle: (title) => TITLES[title] === undefined ? title : message(language, TITLES[title]),
        optionTerm: (option) => OPTIONS[option.attributeName() as FlagName]?.shown ?? option.flags,
      }),
  };
}

function usage(command: Command, language: Language): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  const slots = [
    ...command.registeredArguments.map(termOf),
    `[${message(language, "cli_help_options_slot")}]`,
  ];
  if (command.commands.length > 0) slots.unshift(`[${message(language, "cli_help_command_slot")}]`);
  return [...names, ...slots].join(" ");
}

function termOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  // commander's `help` takes an optional argument. It is shown as required, since `help` alone is the same as `--help`.
  return argument.required || argument.name() === "command" ? `<${name}>` : `[${name}]`;
}

/**
 * Scripts without spaces, in the order of the groups: opening brackets, text, closing punctuation. Then other words, and
 * spaces.
 */
const PARTS =
  /([（《「『“]+)|([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+)|([、，。；：！？）》」』”…—]+)|[^\s（《「『“、，。；：！？）》」』”…—\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+|\s+/gu;

/**
 * The text in lines of at most `width` columns, broken between words and never inside of one, also in Chinese. A word that
 * is wider has a line of its own. No line begins with a closing punctuation mark or ends with an opening one. Line breaks of
 * the text stay.
 */
export function wrapWords(text: string, width: number): string {
  return text.split("\n").map((line) => wrapLine(line, width)).join("\n");
}

function wrapLine(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  const lines: string[] = [];
  let current = "";
  for (const word of wordsOf(line)) {
    if (current !== "" && displayWidth(current + word.trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = word;
    } else current += word;
  }
  return [...lines, current.trimEnd()].join("\n");
}

/** The words of a line, each with the punctuation and the space that belong to it. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let opening = "";
  for (const [part, opens, han, closes] of line.matchAll(PARTS)) {
    if (opens !== undefined) opening += part;
    else if (words.length > 0 && opening === "" && (closes !== undefined || part.trim() === "")) {
      words[words.length - 1] += part;
    } else {
      const found = han === undefined ? [part] : chineseWords(part);
      words.push(opening + found[0]!, ...found.slice(1));
      opening = "";
    }
  }
  return opening === "" ? words : [...words, opening];
}

/**
 * The words of a Chinese text. A single character belongs to the word before it: the segmenter divides 客户端 into 客户 and 端.
 */
function chineseWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment } of new Intl.Segmenter("zh", { granularity: "word" }).segment(text)) {
    if (words.length > 0 && [...segment].length === 1) words[words.length - 1] += segment;
    else words.push(segment);
  }
  return words;
}
