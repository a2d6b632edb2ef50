import { run } from "./run.ts";

/** Facts about the build of an executable, as `--version --json` prints them. */
export interface BuildInfo {
  /** The commit, followed by `-dirty` if the sources differ from it; null outside of a git repository. */
  readonly commit: string | null;
  /** Time of the build in UTC, to the second: `2026-01-31T12:00:00Z`. */
  readonly "build_date": string;
}

/** Returns the facts about a build of the folder `root`, at the time of {@linkcode buildTime}. */
export async function buildInfo(root: string, epoch?: string): Promise<BuildInfo> {
  return { commit: await commitOf(root), build_date: buildTime(epoch).toISOString().replace(/\.\d+Z$/, "Z") };
}

/**
 * Returns the time in the environment variable `SOURCE_DATE_EPOCH` (seconds since 1970), or else the current time. With the
 * variable, the same sources give the same files: https://reproducible-builds.org/specs/source-date-epoch/. Throws if it is
 * not a number.
 */
export function buildTime(epoch: string | undefined = Deno.env.get("SOURCE_DATE_EPOCH")): Date {
  if (!epoch) return new Date();
  if (!/^\d+$/.test(epoch)) throw new Error(`SOURCE_DATE_EPOCH must be a number of seconds, found ${epoch}`);
  return new Date(Number(epoch) * 1000);
}

async function commitOf(root: string): Promise<string | null> {
  try {
    const commit = (await run("git", ["-C", root, "rev-parse", "HEAD"])).trim();
    const changes = await run("git", ["-C", root, "status", "--porcelain", "--untracked-files=no"]);
    return changes === "" ? commit : `${commit}-dirty`;
  } catch {
    // The sources were unpacked from an archive, or git is not installed.
    return null;
  }
}
