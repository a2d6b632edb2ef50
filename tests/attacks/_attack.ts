import { executable } from "../e2e/_executable.ts";
import { fromExecutable, fromSources, type Start } from "../e2e/_program.ts";

const path = await executable();

/** The programs that are attacked: the sources as the task `start` runs them and, where one can be made, the executable. */
const PROGRAMS: readonly { readonly name: string; readonly start: Start }[] = [
  { name: "sources", start: fromSources },
  ...(path === undefined ? [] : [{ name: "executable", start: fromExecutable(path) }]),
];

/** Links, pipes and `/proc` are not to be had everywhere. */
export const ON_LINUX = Deno.build.os === "linux";

/** Registers an attack on each of the programs. */
export function attack(
  name: string,
  test: (start: Start, context: Deno.TestContext) => Promise<void>,
  options: { readonly ignore?: boolean } = {},
): void {
  for (const program of PROGRAMS) {
    Deno.test({
      name: `${name} (${program.name})`,
      ...options,
      fn: (context) => test(program.start, context),
    });
  }
}
