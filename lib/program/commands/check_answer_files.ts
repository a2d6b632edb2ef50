/**
 * The files that the command line of `check-answer` names. It stands apart from the command, because the permissions are computed before
 * the command is loaded.
 */
import { resolve } from "node:path";
import { statNamed } from "#foundation/boundary/mod.ts";
import type { NamedPathsInput } from "../command.ts";

/** UTF-16 units of an operand that may be a path. */
const LONGEST_PATH = 1000;

/** Returns the full paths of the files of `--passages`, and after them that of the answer if the operand is an existing file. */
export async function checkedFiles({ operands, flags, cwd }: NamedPathsInput): Promise<string[]> {
  const passages = (flags.passages ?? []).map((path) => resolve(cwd, path));
  const [answer = "-"] = operands;
  if (answer === "-" || answer.length > LONGEST_PATH || answer.includes("\0")) return passages;
  const path = resolve(cwd, answer);
  const isFile = await statNamed(path).then(({ isFile }) => isFile, () => false);
  return isFile ? [...passages, path] : passages;
}
