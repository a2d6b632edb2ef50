import { deepEqual } from "node:assert/strict";
import { testFiles } from "../../../scripts/lint/test_files.ts";
import { lint } from "./_lint.ts";

const IMPORT = `import { testStore } from "./_contract.ts";\n`;

Deno.test("test-files reports files of tests that are empty or have imports alone", () => {
  for (const name of ["a_test.ts", "a_test.slow.ts", "a_test.postgres.ts"]) {
    const found = ["", IMPORT].map((source) => lint(testFiles, `tests/${name}`, source));
    deepEqual(found, [["1 This file has no test"], ["1 This file has no test"]], name);
  }
});

Deno.test("test-files leaves files alone that call something, and files that are not tests", () => {
  deepEqual(lint(testFiles, "tests/a_test.ts", `${IMPORT}testStore();`), []);
  deepEqual(lint(testFiles, "lib/types.ts", IMPORT), []);
});
