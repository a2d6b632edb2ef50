import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Returns the path of a linted file relative to the project, with `/` between its parts, or `undefined` if it does not belong
 * to the program (`main.ts` and `lib/`).
 */
export function programFile(fileName: string): string | undefined {
  const file = relative(ROOT, fileName).replaceAll("\\", "/");
  return file === "main.ts" || file.startsWith("lib/") ? file : undefined;
}
