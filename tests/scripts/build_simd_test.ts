import { equal } from "node:assert/strict";
import { SIMD_MODULES, simdModule, simdPaths } from "../../scripts/build_simd.ts";

for (const source of SIMD_MODULES) {
  Deno.test(`the module beside ${source} is compiled from it`, async () => {
    const { wat, module } = simdPaths(source);
    equal(await Deno.readTextFile(module), await simdModule(source, await Deno.readTextFile(wat)));
  });
}
