import type { OutlineEntry } from "./types.ts";

/** Level and page of an outline entry. */
interface TitledEntry {
  readonly level: number;
  readonly page: number | undefined;
}

/** Returns a title without the parts that files write differently: blanks, punctuation, case, the number before it. */
function plain(title: string): string {
  return lettersOf(
    title.normalize("NFKC").toLowerCase().replace(
      /^(?:chapter|appendix|part|section)?\s*[\divxa-z]{0,3}(?:\.\d+)*[.:]?\s+(?=\S)/,
      "",
    ),
  );
}

/** Returns a title without blanks, punctuation and case. */
function lettersOf(title: string): string {
  return title.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Returns the entries of an outline by title, with and without the number before it. */
export function entriesByTitle(outline: readonly OutlineEntry[]): Map<string, TitledEntry[]> {
  const byTitle = new Map<string, TitledEntry[]>();
  for (const { title, level, page } of outline) {
    for (
      const key of new Set([plain(title), lettersOf(title)])
    ) {
      if (key === "") continue;
      byTitle.set(key, [...(byTitle.get(key) ?? []), { level, page }]);
    }
  }
  return byTitle;
}

/** Returns the level of the outline entry that names a text on a page, if there is one. */
export function outlineLevel(
  text: string,
  page: number,
  byTitle: ReadonlyMap<string, readonly TitledEntry[]>,
): number | undefined {
  if (byTitle.size === 0) return undefined;
  for (const key of [lettersOf(text), plain(text)]) {
    const found = byTitle.get(key)?.find((entry) =>
      entry.page === undefined || Math.abs(entry.page - page) <= 1
    );
    if (found !== undefined) return found.level;
  }
  return undefined;
}
