import { message } from "../../../messages.ts";
import { readProgramFile } from "../../../sandbox/mod.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit.ts";

/** Between the files: as between the packages of THIRD_PARTY_LICENSES. */
const RULE = `\n${"-".repeat(80)}\n\n`;

/**
 * `licenses`: the program's own licence, what its data is made of, and the licences of all that an executable holds from
 * others. From source it says where those are.
 */
export async function licenses({ io, language }: Context): Promise<number> {
  const parts = [await readProgramFile("LICENSE"), await readProgramFile("NOTICE")];
  if (Deno.build.standalone) parts.push(await readProgramFile("THIRD_PARTY_LICENSES"));
  else parts.push(`${message(language, "cli_licenses_of_sources")}\n`);
  await io.out(parts.join(RULE));
  return EXIT.done;
}
