import { changedJson, KEY, ofFormat, sectionOf, withSections } from "../index/_blob_forge.ts";

/** How an index is to differ from what was written. */
export interface IndexChange {
  /** Its metadata. */
  readonly meta?: (meta: Record<string, unknown>) => Record<string, unknown>;
  /** The version of its format. */
  readonly format?: number;
  /** A section to leave out. */
  readonly without?: string;
  /** A section of which one byte is wrong. */
  readonly damaged?: string;
}

/** Writes the index at `path` anew with something changed, and all else sound and sealed with `key`. */
export function rewriteIndex(
  path: string,
  { meta, format, without, damaged }: IndexChange,
  key: Uint8Array = KEY,
): void {
  let blob: Uint8Array = Deno.readFileSync(path);
  blob = withSections(blob, {
    ...(meta === undefined ? {} : changedJson(blob, "meta", meta)),
    ...(without === undefined ? {} : { [without]: undefined }),
  }, key);
  if (format !== undefined) blob = ofFormat(format, blob, key);
  if (damaged !== undefined) sectionOf(blob, damaged)[0]! ^= 1;
  Deno.writeFileSync(path, blob);
}
