import { message, printableJson } from "../messages.ts";
import type { Context } from "./context.ts";

/** Whether the command line asks for JSON, read leniently: errors in the rest are to be said in it too. */
export function jsonAskedFor(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).some((argument) => /^--json(?:=|$)/.test(argument));
}

/** Prints the one JSON document of `--json`, in the shape of the MCP tools' answers. */
export async function printJson(
  { io, language }: Pick<Context, "io" | "language">,
  data: unknown,
  text: string = message(language, "cli_done"),
  code: 200 | 500 = 200,
): Promise<void> {
  await io.out(jsonText({ code, message: text, data }));
}

/** A JSON document as it is printed: a terminal acts on none of its characters. */
export function jsonText(document: unknown): string {
  return `${printableJson(JSON.stringify(document, null, 2))}\n`;
}
