import { relative } from "node:path";
import { printable } from "../messages.ts";
import { isInside, toPortable } from "../sandbox/mod.ts";
import { COLLECTIONS, MAX_COLLECTIONS } from "./_collection_fields.ts";
import { type GivenValue, mismatch, type Phrase, type Problem } from "./_given_value.ts";
import type { NamedCollection } from "./_parse.ts";
import type { Config } from "./schema.ts";

/** A collection as the file gives it: `path` is absolute, and missing if it is not valid. */
type GivenCollection = Partial<Config["collections"][string]>;

/**
 * Compares the collections of a file with each other: each needs a folder, and no two may have the same one. A folder inside
 * that of another collection causes a warning, unless the other one excludes it. Links are not followed here.
 */
export function checkCollections(
  named: readonly NamedCollection[],
  values: Readonly<Record<string, unknown>>,
  { winners, bad }: { winners: ReadonlyMap<string, GivenValue>; bad: ReadonlySet<string> },
): { readonly problems: readonly Problem[]; readonly remarks: readonly Phrase[] } {
  const tooMany = named[MAX_COLLECTIONS];
  if (tooMany !== undefined) {
    const phrase = { key: "config_too_many_collections", params: { limit: MAX_COLLECTIONS } } as const;
    return { problems: [{ position: tooMany.position, path: COLLECTIONS, phrase }], remarks: [] };
  }
  const given = (values[COLLECTIONS] ?? {}) as Readonly<Record<string, GivenCollection>>;
  const excluded = ((values["files"] ?? {}) as Partial<Config["files"]>).exclude;
  const problems: Problem[] = [];
  const remarks: Phrase[] = [];
  const folders: { readonly name: string; readonly folder: string; readonly exclude: readonly string[] }[] =
    [];
  for (const { name, position } of named) {
    const path = `${COLLECTIONS}.${name}.path`;
    const { path: folder, files } = Object.hasOwn(given, name) ? given[name]! : {};
    if (folder !== undefined) folders.push({ name, folder, exclude: files?.exclude ?? excluded ?? [] });
    else if (!bad.has(path)) {
      problems.push({ position, path, phrase: mismatch("path", { key: "config_expect_path" }, undefined) });
    }
  }
  for (const [at, { name, folder }] of folders.entries()) {
    const { position } = winners.get(`${COLLECTIONS}.${name}.path`)!;
    const same = folders.slice(0, at).find((other) => isSame(other.folder, folder));
    if (same !== undefined) {
      const params = { name: same.name, path: printable(folder) };
      const phrase = { key: "config_collection_same_folder", params } as const;
      problems.push({ position, path: `${COLLECTIONS}.${name}.path`, phrase });
      continue;
    }
    const around = folders.filter((other) => other.name !== name && isInside(folder, other.folder))
      .sort((a, b) => b.folder.length - a.folder.length);
    const [outer] = around;
    if (outer === undefined || isSame(outer.folder, folder)) continue;
    const inner = toPortable(relative(outer.folder, folder));
    if (outer.exclude.some((pattern) => pattern.replace(/^\/|\/$/g, "") === inner)) continue;
    remarks.push({
      key: "config_collection_nested",
      params: { place: position.text, inner: name, outer: outer.name, pattern: printable(`/${inner}/`) },
    });
  }
  return { problems, remarks };
}

function isSame(one: string, other: string): boolean {
  return isInside(one, other) && isInside(other, one);
}
