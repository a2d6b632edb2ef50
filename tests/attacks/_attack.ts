import { EXECUTABLE, program, type Start } from "../e2e/_program.ts";

/** Links, pipes and `/proc` are not available everywhere. */
export const ON_LINUX = Deno.build.os === "linux";

/** Registers an attack as a test. */
export function attack(
  name: string,
  test: (start: Start, context: Deno.TestContext) => Promise<void>,
  options: { readonly ignore?: boolean } = {},
): void {
  Deno.test({
    name: `${name} (${EXECUTABLE === undefined ? "sources" : "executable"})`,
    ...options,
    fn: (context) => test(program, context),
  });
}
