import { run } from "./run.ts";

/** What an executable says of its making in `--version --json`. */
export interface BuildInfo {
  /** The commit it was made from, with `-dirty` behind it when the sources differ from it; null outside of git. */
  readonly commit: string | null;
  /** When: a time in UTC to the second, `2026-01-31T12:00:00Z`. */
  readonly "build_date": string;
}

/**
 * What is built now in the folder `root`, at a time that {@linkcode buildTime} gives.
 */
export async function buildInfo(root: string, epoch?: string): Promise<BuildInfo> {
  return { commit: await commitOf(root), build_date: buildTime(epoch).toISOString().replace(/\.\d+Z$/, "Z") };
}

/**
 * Now, or the time that the environment variable `SOURCE_DATE_EPOCH` names (seconds since 1970), so that the same sources
 * give the same files: https://reproducible-builds.org/specs/source-date-epoch/. Throws where that is no number.
 */
export function buildTime(epoch: string | undefined = Deno.env.get("SOURCE_DATE_EPOCH")): Date {
  if (!epoch) return new Date();
  if (!/^\d+$/.test(epoch)) throw new Error(`SOURCE_DATE_EPOCH is no number of seconds: ${epoch}`);
  return new Date(Number(epoch) * 1000);
}

async function commitOf(root: string): Promise<string | null> {
  try {
    const commit = (await run("git", ["-C", root, "rev-parse", "HEAD"])).trim();
    const changes = await run("git", ["-C", root, "status", "--porcelain", "--untracked-files=no"]);
    return changes === "" ? commit : `${commit}-dirty`;
  } catch {
    // an unpacked archive of the sources, or a machine without git
    return null;
  }
}
