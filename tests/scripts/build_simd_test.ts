import { deepEqual, equal } from "node:assert/strict";
import { SIMD_MODULES, simdModule, simdPaths } from "../../scripts/build_simd.ts";

for (const source of SIMD_MODULES) {
  Deno.test(`the module beside ${source} is compiled from it`, async () => {
    const { wat, module } = simdPaths(source);
    equal(await Deno.readTextFile(module), await simdModule(source, await Deno.readTextFile(wat)));
  });
}

Deno.test("only the encoder uses instructions whose results depend on the machine, and of these only four", async () => {
  const used: Record<string, readonly string[]> = {};
  for (const source of SIMD_MODULES) {
    const text = (await Deno.readTextFile(simdPaths(source).wat)).replaceAll(/;;.*/g, "");
    const found = [...new Set(text.match(/[a-z0-9]+\.relaxed_\w+/g))].sort();
    if (found.length > 0) used[source] = found;
  }
  deepEqual(used, {
    // `arithmeticOf` tests the dot product and does without it where it is not exact. The sums are the same on machines that round a product
    // and a sum together. The numbers that are cut to integers fit into them.
    "lib/models/neural/bert.wat": [
      "f32x4.relaxed_madd",
      "f32x4.relaxed_nmadd",
      "i32x4.relaxed_dot_i8x16_i7x16_add_s",
      "i32x4.relaxed_trunc_f32x4_s",
    ],
  });
});
