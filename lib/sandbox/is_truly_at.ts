import { isMissing } from "./file_error.ts";
import { isSameFile } from "./same_file.ts";

/** Questions asked: who answers each by a guess is found out but once in a million. They take 0.1 ms together. */
const QUESTIONS = 20;

/**
 * Whether an open file lies at a path that is a real one, whoever may exchange a folder on the way for a link, and back, at
 * any moment. The system cannot be asked both at once (Deno has no `openat`), so each answer may be about another state:
 * "the file there is the one that was opened" while the link is there, "that path is a real one" while it is not. But which
 * of the two is asked next is left to chance: he would have to foresee it every time.
 *
 * `opened`: what the open file says of itself. `isReal`: asks whether the path is a real one. A file that was replaced since
 * it was opened is not there either. Throws what the system throws, but that there is nothing.
 */
export function isTrulyAt(path: string, opened: Deno.FileInfo, isReal: () => boolean): boolean {
  const isSame = () => isSameFile(Deno.lstatSync(path), opened);
  try {
    for (const chance of crypto.getRandomValues(new Uint8Array(QUESTIONS))) {
      if (!(chance & 1 ? isReal() : isSame())) return false;
    }
    // by chance one of them may not have come up
    return isReal() && isSame();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
