import { message, printableJson } from "../messages.ts";
import type { Context } from "./context.ts";

/**
 * Whether the command line asks for JSON, by `--json` or `--format json`. It is read leniently, since errors in the rest are
 * also reported as JSON.
 */
export function jsonAskedFor(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).some((argument, at, given) =>
    /^--(?:json(?:=|$)|format=json$)/.test(argument) || argument === "--format" && given[at + 1] === "json"
  );
}

/** Prints the JSON document of `--json`, which has the shape of the MCP tools' answers. */
export async function printJson(
  { io, language }: Pick<Context, "io" | "language">,
  data: unknown,
  text: string = message(language, "cli_done"),
  code: 200 | 500 = 200,
): Promise<void> {
  await io.out(jsonText({ code, message: text, data }));
}

/** A JSON document as it is printed, without control characters that a terminal would act on. */
export function jsonText(document: unknown): string {
  return `${printableJson(JSON.stringify(document, null, 2))}\n`;
}
