import { changedJson, KEY, ofFormat, sectionOf, withSections } from "../../engine/index/_blob_forge.ts";

/** Changes to an index file. */
export interface IndexChange {
  /** Changes the metadata. */
  readonly meta?: (meta: Record<string, unknown>) => Record<string, unknown>;
  /** Sets the version of the format. */
  readonly format?: number;
  /** Removes a section. */
  readonly without?: string;
  /** Changes one byte of a section. */
  readonly damaged?: string;
}

/** Changes the index at `path` and seals it with `key`, so that nothing else is wrong with it. */
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
