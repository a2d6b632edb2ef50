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
  const details = {
    name: "muxue_rag",
    version,
    ...await readBuildInfo(),
    deno,
    v8,
    target: Deno.build.target,
  };
  await io.out(`${JSON.stringify(details)}\n`);
  return EXIT.done;
}

/** The build of an executable. */
interface BuildInfo {
  /** Commit of the sources; null from source, or where they were in no repository. */
  readonly commit: string | null;
  /** A time in UTC, `2026-01-31T12:00:00Z`; null from source. */
  readonly "build_date": string | null;
}

/** The file that scripts/compile.ts puts into the executable. */
async function readBuildInfo(): Promise<BuildInfo> {
  if (!Deno.build.standalone) return { commit: null, build_date: null };
  return JSON.parse(await readProgramFile("build_info"));
}

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
