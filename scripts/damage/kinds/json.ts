/** Parses a section that contains JSON. */
export function jsonIn<T>(parts: ReadonlyMap<string, Uint8Array>, name: string): T {
  return JSON.parse(new TextDecoder().decode(parts.get(name)!));
}

/** Returns a section with `value` as JSON. A string is written as it is. */
export function jsonPart(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}
