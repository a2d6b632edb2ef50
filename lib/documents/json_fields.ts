/** Reads fields of parsed JSON that formats define, whatever a file holds in their place. */

/** The fields of a JSON object. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** Whether a value is an object with fields, and not a list. */
export function isRecord(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the fields of an object, or `undefined` for another value. */
export function recordOf(value: unknown): JsonFields | undefined {
  return isRecord(value) ? value : undefined;
}

/** Returns the objects in a list. Another value has none. */
export function listOf(value: unknown): JsonFields[] {
  return (Array.isArray(value) ? value : []).map(recordOf).filter((one) => one !== undefined);
}

/** Returns a text; it is empty for another value. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
