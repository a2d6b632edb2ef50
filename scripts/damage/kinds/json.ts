/** A section that is JSON, parsed. */
export function jsonIn<T>(parts: ReadonlyMap<string, Uint8Array>, name: string): T {
  return JSON.parse(new TextDecoder().decode(parts.get(name)!));
}

/** A section of JSON; a text is taken as it is. */
export function jsonPart(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}
