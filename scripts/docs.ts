// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Writes the tables of the guide that say what the code says: settings, commands, options and MCP tools. A table stands in a page
 * between `<!-- table: NAME -->` and `<!-- /table -->`; the rest of a page is written by hand.
 *
 *     deno task docs            writes the tables into examples/docs/{en,zh}
 *     deno task docs --check    changes nothing, and fails if a page is stale
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";
import { type Command, helpOfFlag } from "#program/command.ts";
import { COMMANDS } from "#program/commands/declarations.ts";
import { COMMON_FLAGS, type FlagName, longForm, OPTIONS } from "#program/options.ts";
import { defaultConfigText, DEFAULTS } from "#foundation/configuration/mod.ts";
import { ConfigSchema } from "#foundation/configuration/schema.ts";
import { TOOLS } from "#server/tools/mod.ts";
import { type Language, message } from "#foundation/messages/mod.ts";

/** The tools with the shapes of their arguments. */
const LISTED = await Promise.all(TOOLS.map(async (tool) => ({ ...tool, input: (await tool.load()).input })));
const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The folder of the guide in the repository, with a folder of pages for each language. */
const GUIDE = "examples/docs";

/** The command that writes the tables, for messages. */
const WRITE = "npx -y deno@2.9.6 task docs";

/** Words of the tables that are in no declaration. */
const WORDS = {
  en: {
    settings: ["key", "default", "values", "meaning"],
    commands: ["command", "what it does", "options"],
    options: ["option", "meaning"],
    tools: ["tool", "arguments", "also accepted", "by default", "what it does"],
    to: (min: number, max: number) => `${min} to ${max}`,
    brackets: (text: string) => ` (${text})`,
    optional: "optional",
    none: "none",
    as: (key: string) => `as ${key}`,
    list: "a list",
    comma: ", ",
    semicolon: "; ",
    colon: ": ",
    yes: "yes",
    no: "no",
  },
  zh: {
    settings: ["配置项", "默认值", "取值", "含义"],
    commands: ["命令", "作用", "选项"],
    options: ["选项", "含义"],
    tools: ["工具", "参数", "还接受", "默认提供", "作用"],
    to: (min: number, max: number) => `${min} 到 ${max}`,
    brackets: (text: string) => `（${text}）`,
    optional: "可选",
    none: "无",
    as: (key: string) => `同 ${key}`,
    list: "列表",
    comma: "、",
    semicolon: "；",
    colon: "：",
    yes: "是",
    no: "否",
  },
} as const;

/** The tables of a language by their names in the pages, as Markdown. */
export async function tablesOf(language: Language): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ...await settingsTables(language),
    ["commands", commandsTable(language)],
    ["options", optionsTable(language)],
    ["tools", toolsTable(language)],
  ]);
}

/** A page with these tables between its marks. Throws for the name of a table that does not exist. */
export function withTables(page: string, tables: ReadonlyMap<string, string>): string {
  return page.replace(/^<!-- table: (.+) -->\n[^]*?^<!-- \/table -->$/gm, (_, name: string) => {
    const table = tables.get(name);
    if (table === undefined) {
      throw new Error(`There is no table ${name}. The tables are: ${[...tables.keys()].join(", ")}`);
    }
    return `<!-- table: ${name} -->\n${table}<!-- /table -->`;
  });
}

/** Names of the tables in a page. */
export function tablesIn(page: string): string[] {
  return [...page.matchAll(/^<!-- table: (.+) -->$/gm)].map(([, name = ""]) => name);
}

/** A table for each section of the configuration (`settings search`), with the keys outside of sections in `settings`. */
async function settingsTables(language: Language): Promise<[string, string][]> {
  const words = WORDS[language];
  const meanings = commentsIn(await defaultConfigText());
  const schema = z.toJSONSchema(ConfigSchema, { io: "input" }) as JsonSchema;
  const sections = new Map<string, string[][]>();
  /** The first key with a meaning: the models for two languages have the same keys. */
  const firsts = new Map<string, string>();
  const visit = (section: string, { properties = {} }: JsonSchema, defaults: Values) => {
    for (const [key, field] of Object.entries(properties)) {
      const name = section === "" ? key : `${section}.${key}`;
      // The page describes collections by hand: their names are the user's.
      if (name === "collections") continue;
      const value = defaults[key];
      if (field.properties !== undefined) {
        visit(name, field, value as Values);
        continue;
      }
      const meaning = meanings.get(name);
      if (meaning === undefined) throw new Error(`config.yaml has no comment for ${name}`);
      const first = firsts.get(meaning[language]);
      const rows = sections.get(section) ?? [];
      sections.set(section, rows);
      rows.push([
        code(name),
        code(typeof value === "string" ? value : JSON.stringify(value)),
        valuesOf(field, language),
        first === undefined ? prose(meaning[language]) : words.as(code(first)),
      ]);
      if (first === undefined) firsts.set(meaning[language], name);
    }
  };
  visit("", schema, DEFAULTS);
  return [...sections].map(([name, rows]) => [`settings ${name}`.trim(), table(words.settings, rows)]);
}

type Values = Readonly<Record<string, unknown>>;

/** The part of JSON Schema that the configuration uses. */
interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** The possible values of a key; nothing where any text is one. `null` is left out: where it is possible, it is the default. */
function valuesOf(field: JsonSchema, language: Language): string {
  const words = WORDS[language];
  const { anyOf = [], type, minimum, maximum } = field;
  if (anyOf.length > 0) {
    const values = anyOf.filter(({ type }) => type !== "null").map((each) => valuesOf(each, language));
    return values.join(words.comma);
  }
  if (field.enum !== undefined) return field.enum.map(code).join(words.comma);
  if (field.const !== undefined) return code(String(field.const));
  if (minimum !== undefined && maximum !== undefined) return words.to(minimum, maximum);
  if (type === "boolean") return ["true", "false"].map(code).join(words.comma);
  return type === "array" ? words.list : "";
}

/** The comments of a configuration file by key: above each key stands a line in Chinese, then one in English. */
function commentsIn(yaml: string): Map<string, Readonly<Record<Language, string>>> {
  const comments = new Map<string, Readonly<Record<Language, string>>>();
  const sections: string[] = [];
  let above: string[] = [];
  for (const line of yaml.split("\n")) {
    const [, comment] = /^ *# (.*)$/.exec(line) ?? [];
    const [, indent = "", key] = /^( *)([a-z_]+):/.exec(line) ?? [];
    if (comment !== undefined) above.push(comment);
    else if (key !== undefined) {
      sections.splice(indent.length / 2, Infinity, key);
      const [zh, en] = above.slice(-2);
      if (zh !== undefined && en !== undefined) comments.set(sections.join("."), { zh, en });
      above = [];
    } else above = [];
  }
  return comments;
}

function commandsTable(language: Language): string {
  const { commands, comma } = WORDS[language];
  const rows = COMMANDS.flatMap(({ name, argument, help, flags, chosenBy }) => {
    if (help === undefined) return [];
    const own = flags.filter((flag) => flag !== chosenBy && !COMMON_FLAGS.some((common) => common === flag));
    const usage = ["muxue_rag", name, ...argument === undefined ? [] : [argument.name]].join(" ");
    return [[code(usage), message(language, help), own.map(longForm).map(code).join(comma)]];
  });
  return table(commands, rows);
}

function optionsTable(language: Language): string {
  const { options, semicolon } = WORDS[language];
  const rows = (Object.keys(OPTIONS) as FlagName[]).map((flag) => {
    const { flags, shown = flags } = OPTIONS[flag];
    return [code(shown), [meaningOf(flag, language), ...elsewhere(flag, language)].join(semicolon)];
  });
  return table(options, rows);
}

function meaningOf(flag: FlagName, language: Language): string {
  const { help, range } = OPTIONS[flag];
  const { brackets, to } = WORDS[language];
  return prose(message(language, help)) + (range === undefined ? "" : brackets(to(range.min, range.max)));
}

/** The help of a flag for the commands that give it another one. Those of folders differ in the default alone. */
function elsewhere(flag: FlagName, language: Language): string[] {
  if (flag === "dir") return [];
  return COMMANDS.filter(({ flags }) => flags.includes(flag)).flatMap((command: Command) => {
    const help = helpOfFlag(flag, command);
    return help === OPTIONS[flag].help
      ? []
      : [`${code(command.name)}${WORDS[language].colon}${prose(message(language, help))}`];
  });
}

function toolsTable(language: Language): string {
  const words = WORDS[language];
  const rows = LISTED.map(({ name, input, isDefault }) => {
    const fields = Object.entries(input);
    const names = (wanted: (field: z.ZodType) => boolean) =>
      fields.filter(([, field]) => wanted(field)).map(([name]) => code(name)).join(words.comma);
    const required = names((field) => !field.isOptional());
    const optional = names((field) => field.isOptional() && field.description !== undefined);
    return [
      code(name),
      [required, optional && `${words.optional} ${optional}`].filter((part) => part !== "")
        .join(words.semicolon) || words.none,
      names((field) => field.description === undefined),
      isDefault ? words.yes : words.no,
      prose(message(language, `${name}_description`)),
    ];
  });
  return table(words.tools, rows);
}

/** A text with nothing that Markdown would take for emphasis or HTML. */
function prose(text: string): string {
  return text.replace(/[*<]/g, "\\$&");
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").trim()).join(" | ")} |\n`.replaceAll("|  |", "| |");
  return line(heads) + `|${"---|".repeat(heads.length)}\n` + rows.map(line).join("");
}

/** A page of the guide. */
interface Page {
  /** Path in the repository. */
  readonly path: string;
  readonly text: string;
}

/** The pages of a language that have tables, sorted. */
export function pagesOf(language: Language): Page[] {
  const folder = `${GUIDE}/${language}`;
  return [...Deno.readDirSync(join(ROOT, folder))].filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => ({ path: `${folder}/${name}`, text: Deno.readTextFileSync(join(ROOT, folder, name)) }))
    .filter(({ text }) => tablesIn(text).length > 0).sort((a, b) => a.path < b.path ? -1 : 1);
}

/** The pages whose tables differ from the code's, with the text that they should have. */
export async function stalePages(): Promise<Page[]> {
  const stale: Page[] = [];
  for (const language of ["en", "zh"] as const) {
    const tables = await tablesOf(language);
    for (const { path, text } of pagesOf(language)) {
      const fresh = withTables(text, tables);
      if (fresh !== text) stale.push({ path, text: fresh });
    }
  }
  return stale;
}

if (import.meta.main) {
  const { check: isCheck = false } = parseArgs({ options: { check: { type: "boolean" } } }).values;
  const stale = await stalePages();
  for (const { path, text } of stale) {
    if (!isCheck) Deno.writeTextFileSync(join(ROOT, path), text);
    console.error(isCheck ? `Stale: ${path}` : `Written: ${path}`);
  }
  if (isCheck && stale.length > 0) {
    console.error(`The tables of these pages differ from the code. Write them again: ${WRITE}`);
    Deno.exit(1);
  }
}
