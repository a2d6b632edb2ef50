import { message } from "../../../messages.ts";
import { readProgramFile } from "../../../sandbox/mod.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit.ts";

/** Separates the files, in the way of the packages in THIRD_PARTY_LICENSES. */
const RULE = `\n${"-".repeat(80)}\n\n`;

/**
 * `licenses`: prints the program's licence, the notices about its data, and the licences of the packages in the executable.
 * From source it prints where to find the latter.
 */
export async function licenses({ io, language }: Context): Promise<number> {
  const parts = [await readProgramFile("LICENSE"), await readProgramFile("NOTICE")];
  if (Deno.build.standalone) parts.push(await readProgramFile("THIRD_PARTY_LICENSES"));
  else parts.push(`${message(language, "cli_licenses_of_sources")}\n`);
  await io.out(parts.join(RULE));
  return EXIT.done;
}
