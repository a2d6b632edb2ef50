import { readProgramFile } from "../../../sandbox/mod.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit.ts";

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
