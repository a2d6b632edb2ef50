import { COLLECTION_SECTIONS, collectionKeys, COLLECTIONS, collectionSection } from "./_collection_fields.ts";
import { nearest } from "./nearest.ts";
import { SECTIONS, subsections } from "./schema.ts";

/** The keys outside every section. */
export const TOP_KEYS = ["language", COLLECTIONS, ...subsections()];

/** The keys of a section; none if it only has sections inside. */
export function keysOf(section: string): string[] {
  return Object.keys(collectionKeys(section) ?? (SECTIONS as Record<string, object>)[section] ?? {});
}

/** The sections inside a section of a file. */
export function sectionsIn(section: string): string[] {
  const place = collectionSection(section);
  if (place === undefined) return subsections(section);
  return place.inner === "" ? Object.keys(COLLECTION_SECTIONS).filter((name) => name !== "") : [];
}

/** The path of the key that was probably meant by an unknown `key`: one of `known`, which may stand there, or one elsewhere. */
export function suggestedKey(
  key: string,
  section: string | undefined,
  known: readonly string[],
): string | undefined {
  const near = nearest(key, known);
  if (near === undefined) return elsewhere(key, section);
  return section === undefined ? near : `${section}.${near}`;
}

/** Returns the path of the key that was probably meant by a key in the wrong section or outside of all sections. */
function elsewhere(key: string, from: string | undefined): string | undefined {
  const place = from === undefined ? undefined : collectionSection(from);
  for (const [section, keys] of Object.entries(place === undefined ? SECTIONS : COLLECTION_SECTIONS)) {
    const near = Object.keys(keys).find((name) => nearest(key, [name]) === name && name.length > 3);
    if (near === undefined) continue;
    const outer = place === undefined ? [] : [COLLECTIONS, place.name];
    return [...outer, section, near].filter((part) => part !== "").join(".");
  }
  return undefined;
}
