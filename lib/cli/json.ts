import { message } from "../messages.ts";
import type { Context } from "./context.ts";

/** Prints the one JSON document of `--json`, in the shape of the MCP tools' answers. */
export async function printJson(
  { io, language }: Pick<Context, "io" | "language">,
  data: unknown,
  text: string = message(language, "cli_done"),
  code: 200 | 500 = 200,
): Promise<void> {
  await io.out(`${JSON.stringify({ code, message: text, data }, null, 2)}\n`);
}
