import { readProgramFile } from "../../../sandbox/mod.ts";

/** What the program was built from. */
export interface BuildInfo {
  /** Commit of the sources; null where they run themselves, or were in no repository. */
  readonly commit: string | null;
  /** A time in UTC, `2026-01-31T12:00:00Z`; null where the sources run themselves. */
  readonly "build_date": string | null;
}

/** What scripts/compile.ts put into the executable. */
export async function readBuildInfo(): Promise<BuildInfo> {
  if (!Deno.build.standalone) return { commit: null, build_date: null };
  return JSON.parse(await readProgramFile("build_info"));
}
