import { executable } from "../e2e/_executable.ts";
import { fromExecutable, fromSources, type Start } from "../e2e/_program.ts";

const path = await executable();

/** The program under attack: the executable if there is one, otherwise the sources as the task `start` runs them. */
const program: { readonly name: string; readonly start: Start } = path === undefined
  ? { name: "sources", start: fromSources }
  : { name: "executable", start: fromExecutable(path) };

/** Links, pipes and `/proc` are not available everywhere. */
export const ON_LINUX = Deno.build.os === "linux";

/** Registers an attack as a test. */
export function attack(
  name: string,
  test: (start: Start, context: Deno.TestContext) => Promise<void>,
  options: { readonly ignore?: boolean } = {},
): void {
  Deno.test({
    name: `${name} (${program.name})`,
    ...options,
    fn: (context) => test(program.start, context),
  });
}
