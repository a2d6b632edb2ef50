/**
 * The project's own lint rules, loaded by `deno lint` through deno.json.
 * @module
 */
import { constantConditions } from "./constant_conditions.ts";
import { fileAccess } from "./file_access.ts";
import { importDirection } from "./import_direction.ts";
import { testFiles } from "./test_files.ts";

const plugin: Deno.lint.Plugin = {
  name: "muxue-rag",
  rules: {
    "import-direction": importDirection,
    "file-access": fileAccess,
    "constant-conditions": constantConditions,
    "test-files": testFiles,
  },
};

export default plugin;
