import { editDistance } from "../edit_distance.ts";
import { citedLines } from "./cited_lines.ts";

/** Names of a client longer than this are not compared; no file system has longer ones. */
const MAX_NAME_CHARS = 255;
/** The last parts of a client's path, which may have any length, that are compared. */
const MAX_PARTS = 32;
/** Files that are named in an answer. */
const MAX_NAMED = 3;
/**
 * Share of a name's characters, without its extension, that may differ: enough for typing errors, too little to confuse
 * short names.
 */
const MAX_DIFFERENCE = 0.4;

/** How {@linkcode nearestFiles} compares. */
export interface NearestOptions {
  /** Only files with the same name, in another folder or with another extension. */
  readonly sameName: boolean;
  /** Whether a file may be named to the client. Called for few files, the nearest first. */
  readonly isServed: (path: string) => Promise<boolean>;
}

/**
 * Returns the files with a name like that of a path that does not exist, the nearest first. `paths`: full paths of files.
 */
export async function nearestFiles(
  asked: string,
  paths: Iterable<string>,
  { sameName, isServed }: NearestOptions,
): Promise<string[]> {
  const folders = partsOf(citedLines(asked)?.path ?? asked).slice(-MAX_PARTS);
  const name = folders.pop() ?? "";
  if (name === "" || name.length > MAX_NAME_CHARS) return [];
  const near: { path: string; far: number; shared: number }[] = [];
  for (const path of paths) {
    const parts = partsOf(path);
    const far = nameDistance(name, parts.pop()!, sameName);
    if (far === undefined) continue;
    near.push({ path, far, shared: folders.filter((folder) => parts.includes(folder)).length });
  }
  near.sort((a, b) => a.far - b.far || b.shared - a.shared || (a.path < b.path ? -1 : 1));
  const named: string[] = [];
  for (const { path } of near.slice(0, 4 * MAX_NAMED)) {
    if (named.length < MAX_NAMED && await isServed(path)) named.push(path);
  }
  return named;
}

function partsOf(path: string): string[] {
  return path.normalize("NFKC").toLowerCase().split(/[\\/]/);
}

/**
 * The difference of two names, 0 for equal ones; undefined if they are not alike. Another extension counts as half a
 * character.
 */
function nameDistance(wanted: string, name: string, sameName: boolean): number | undefined {
  const [asked, found] = [stemOf(wanted), stemOf(name)];
  const most = sameName ? 0 : Math.floor(asked.length * MAX_DIFFERENCE);
  if (Math.abs(asked.length - found.length) > most) return undefined;
  const far = editDistance(asked, found);
  if (far > most) return undefined;
  return wanted.slice(asked.length) === name.slice(found.length) ? far : far + 0.5;
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, "");
}
