/** Leaves out properties without a value, because the type of an optional property does not include `undefined`. */

/** An object whose properties may be `undefined`, with those as optional properties. */
type Present<T> =
  & { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] }
  & { [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined> };

/**
 * Returns an object without its properties that are `undefined`: an optional property is absent where its value is not known.
 *
 * ```ts
 * import { present } from "./present.ts";
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(present({ path: "tea.md", title: undefined }), { path: "tea.md" });
 * ```
 */
export function present<T extends object>(properties: T): Present<T> {
  const known: Partial<T> = {};
  for (const name of Object.keys(properties) as (keyof T)[]) {
    if (properties[name] !== undefined) known[name] = properties[name];
  }
  return known as unknown as Present<T>;
}
