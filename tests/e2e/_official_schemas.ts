import { addFormats, Ajv } from "@modelcontextprotocol/client/validators/ajv";
import { packageFile } from "../../scripts/npm_package.ts";

/** Checks values by the definitions of one protocol revision. */
export interface RevisionSchema {
  /** Whether the revision has the definition. */
  has(definition: string): boolean;
  /** Problems of a value, as sentences of the validator; empty for a right one. */
  problems(definition: string, value: unknown): readonly string[];
}

/** Revisions with official JSON schemas in the official test suite. */
const JSON_SCHEMAS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;

/**
 * The official schemas by revision. JSON schemas for those of 2025-03-26 and later are inside the official test suite. For
 * 2024-11-05 no package has one; there the schemas are those of an official SDK for which that revision was the newest. The
 * first SDK in the registry is already for 2024-11-05: 2024-10-07 has no published schema.
 */
export async function officialSchemas(): Promise<ReadonlyMap<string, RevisionSchema>> {
  const suite = await packageFile({
    spec: "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    integrity: "eXtZFgmtZiU5SsvXty+RGXGnyIqEVm3GLU/HZmg1wMjtKOocPZZgD9HQKd30oJhio5UB0wFJmsc6r8u48Q+EYA==",
    file: "package/dist/index.js",
  });
  const names = /\{"2025-03-26":(\w+),"2025-06-18":(\w+),"2025-11-25":(\w+),\[\w+\]:(\w+)\}/.exec(suite)!
    .slice(1);
  const types = await packageFile({
    spec: "@modelcontextprotocol/sdk@1.2.0",
    integrity: "ymA0KtuF3wvJtKEtnA7XSrb2BsHzIdxW1UcNvvMowwbS6/b5MMQbngPoscO+Ftj7NmwwBq5WXW6qVKb8D1FJrA==",
    file: "package/dist/esm/types.js",
  });
  return new Map([
    ["2024-11-05", await ofSdk(types)],
    ...JSON_SCHEMAS.map((revision, i) => [revision, ofJson(literalOf(suite, names[i]!))] as const),
  ]);
}

/** A value of the schema `name`, which the test suite's minified module holds as an object literal. */
function literalOf(module: string, name: string): Record<string, unknown> {
  const start = module.indexOf(`${name}={$schema:`) + name.length + 1;
  let depth = 0;
  let quote: string | undefined;
  for (let at = start;; at++) {
    const char = module[at]!;
    if (quote !== undefined) {
      if (char === "\\") at++;
      else if (char === quote) quote = undefined;
    } else if ("`'\"".includes(char)) quote = char;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) {
      return new Function(`return ${module.slice(start, at + 1)}`)();
    }
  }
}

function ofJson({ $schema: _, ...schema }: Record<string, unknown>): RevisionSchema {
  const key = "$defs" in schema ? "$defs" : "definitions";
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(schema, "official");
  return {
    has: (definition) => Object.hasOwn(schema[key] as object, definition),
    problems(definition, value) {
      const validate = ajv.getSchema(`official#/${key}/${definition}`)!;
      return validate(value) ? [] : validate.errors!.map((error) => `${error.instancePath} ${error.message}`);
    },
  };
}

/** The schemas of the SDK's module `types`, which imports only zod of the line that zod 4 has inside. */
async function ofSdk(types: string): Promise<RevisionSchema> {
  const zod = import.meta.resolve("zod/v3");
  const source = types.replace(/from "zod"/, `from ${JSON.stringify(zod)}`);
  const schemas = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return {
    has: (definition) => `${definition}Schema` in schemas,
    problems(definition, value) {
      const { success, error } = schemas[`${definition}Schema`].safeParse(value);
      return success
        ? []
        : error.issues.map(({ path, message }: { path: PropertyKey[]; message: string }) =>
          `${path.join("/")} ${message}`
        );
    },
  };
}
