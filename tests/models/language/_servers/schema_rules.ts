/**
 * The rules of OpenAI and Anthropic for the JSON schemas that an answer shall follow.
 */

/** Returns why OpenAI refuses a schema with `strict: true`, in its words; `undefined` if it takes it. */
// deno-lint-ignore no-explicit-any -- any JSON schema
export function openaiObjection(schema: any, context: readonly string[] = []): string | undefined {
  const where = `In context=(${context.map((name) => `'${name}'`).join(", ")})`;
  if (context.length === 0 && schema?.type !== "object") {
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${schema?.type}"'.`;
  }
  for (const name of ["allOf", "not", "if", "oneOf", "patternProperties"]) {
    if (name in schema) return `${where}, '${name}' is not permitted.`;
  }
  if (schema.type === "object") {
    if (schema.additionalProperties !== false) {
      return `${where}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    for (const name of Object.keys(schema.properties ?? {})) {
      if (!schema.required?.includes(name)) {
        return `${where}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${name}'.`;
      }
    }
  }
  return inner(schema, context, openaiObjection);
}

/** Keywords that Anthropic does not take. */
const NOT_IN_ANTHROPIC =
  /^(?:minimum|maximum|exclusiveM\w+|multipleOf|minLength|maxLength|maxItems|uniqueItems|patternProperties|not)$/;

/** Returns why Anthropic refuses a schema, in its words; `undefined` if it takes it. */
// deno-lint-ignore no-explicit-any -- any JSON schema
export function anthropicObjection(schema: any, context: readonly string[] = []): string | undefined {
  if (schema.type === "object" && schema.additionalProperties !== false) {
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  }
  const keyword = Object.keys(schema).find((name) => NOT_IN_ANTHROPIC.test(name));
  if (keyword !== undefined) return `For '${schema.type}' type, property '${keyword}' is not supported`;
  if (schema.minItems > 1) return "For 'array' type, 'minItems' values other than 0 or 1 are not supported";
  return inner(schema, context, anthropicObjection);
}

function inner(
  // deno-lint-ignore no-explicit-any -- any JSON schema
  schema: any,
  context: readonly string[],
  objection: (schema: unknown, context: readonly string[]) => string | undefined,
): string | undefined {
  const parts: [string[], unknown][] = Object.entries(schema.properties ?? {})
    .map(([name, value]) => [["properties", name], value]);
  if (schema.items !== undefined) parts.push([["items"], schema.items]);
  for (const [i, choice] of (schema.anyOf ?? []).entries()) parts.push([["anyOf", String(i)], choice]);
  for (const [name, value] of Object.entries(schema.$defs ?? {})) parts.push([["$defs", name], value]);
  for (const [names, value] of parts) {
    const found = objection(value, [...context, ...names]);
    if (found !== undefined) return found;
  }
  return undefined;
}
