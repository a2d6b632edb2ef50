/**
 * The version and the licences of this program: `--version` and the command `licenses`.
 * Both read files of the program.
 */
import { readProgramFile } from "#foundation/boundary/mod.ts";
import { type Context, EXIT } from "../context.ts";
import { message } from "#foundation/messages/mod.ts";

/** `--version`: prints the version and the runtime, with `--json` also the build. */
export async function version({ io, flags, version }: Context): Promise<number> {
  const { deno, v8 } = Deno.version;
  if (!flags.json) {
    await io.out(`muxue_rag ${version} (Deno ${deno})\n`);
    return EXIT.done;
  }
  // scripts/compile.ts puts this file into the executable. The commit is null where the sources were in no repository.
  const build: { readonly commit: string | null; readonly "build_date": string | null } =
    Deno.build.standalone
      ? JSON.parse(await readProgramFile("build_info"))
      : { commit: null, build_date: null };
  const details = { name: "muxue_rag", version, ...build, deno, v8, target: Deno.build.target };
  await io.out(`${JSON.stringify(details)}\n`);
  return EXIT.done;
}

/** Separates the files, in the way of the packages in THIRD_PARTY_LICENSES. */
const RULE = `\n${"-".repeat(80)}\n\n`;

/** `licenses`: the licences of the program, of its data and, in an executable, of the packages in it. */
export async function licenses({ io, language }: Context): Promise<number> {
  const parts = [await readProgramFile("LICENSE"), await readProgramFile("NOTICE")];
  if (Deno.build.standalone) parts.push(await readProgramFile("THIRD_PARTY_LICENSES"));
  else parts.push(`${message(language, "cli_licenses_of_sources")}\n`);
  await io.out(parts.join(RULE));
  return EXIT.done;
}
