/** Counts documents by what they say about themselves, by type, year and folder. */
import { dateSpan, type StoredFile } from "#engine/index/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { folded } from "#foundation/written_values.ts";
import { typeOfPath } from "#engine/query/mod.ts";

/** The names by which documents can be counted. */
const FACETS = [
  "tag",
  "author",
  "type",
  "year",
  "folder",
  "language",
  "status",
  "access_level",
] as const;
export type Facet = typeof FACETS[number];

/** The values of a facet with the number of their documents, the most frequent first. */
export interface FacetCounts {
  readonly facet: Facet;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** Further values, which are not listed. */
  readonly more: number;
  /** Documents without a value. */
  readonly without: number;
}

/** Values of a facet that are listed. */
const MOST_VALUES = 50;

/**
 * Counts files by each of the facets. Case, width and spaces do not count; the most frequent spelling stands for all. A file with
 * several tags counts for each of them.
 */
export function facetsOf(files: Iterable<StoredFile>, facets: readonly Facet[]): FacetCounts[] {
  const counters = facets.map((facet) => ({ facet, counter: new Counter(), without: 0 }));
  for (const file of files) {
    for (const one of counters) {
      const values = VALUES[one.facet](file);
      if (values.length === 0) one.without++;
      else one.counter.add(values);
    }
  }
  return counters.map(({ facet, counter, without }) => {
    const values = counter.values(facet === "year");
    return {
      facet,
      values: values.slice(0, MOST_VALUES),
      more: Math.max(0, values.length - MOST_VALUES),
      without,
    };
  });
}

/** The values of a file by facet. A year is that of the text, where it says one, else that of the file. */
const VALUES: Readonly<Record<Facet, (file: StoredFile) => readonly string[]>> = {
  tag: ({ metadata }) => metadata?.tags ?? [],
  author: ({ metadata }) => metadata?.authors ?? [],
  type: ({ path }) => [typeOfPath(path)],
  year: ({ metadata: { created, published, modified } = {}, mtimeMs }) => [
    // In local time, as conditions on dates are read.
    String(new Date(dateSpan(created ?? published ?? modified ?? "")?.from ?? mtimeMs).getFullYear())
      .padStart(4, "0"),
  ],
  folder: ({ path }) => [path.includes("/") ? path.slice(0, path.indexOf("/")) : "."],
  language: ({ metadata }) => metadata?.language === undefined ? [] : [metadata.language],
  status: ({ metadata }) => metadata?.status === undefined ? [] : [metadata.status],
  "access_level": ({ metadata }) => metadata?.accessLevel === undefined ? [] : [metadata.accessLevel],
};

/** Counts values without regard to case, width and spaces. */
class Counter {
  readonly #counts = new Map<string, number>();

  add(values: readonly string[]): void {
    const one = values.length === 1
      ? values
      : new Map(values.toReversed().map((value) => [folded(value), value])).values();
    for (const value of one) this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
  }

  /** The values with their counts, the most frequent first, or the latest year first. */
  values(byValue: boolean): { value: string; count: number }[] {
    const all = Map.groupBy(this.#counts, ([value]) => folded(value)).values().map((spellings) => {
      const [[value]] = spellings.toSorted(([, a], [, b]) => b - a) as [[string, number]];
      return { value, count: spellings.reduce((sum, [, count]) => sum + count, 0) };
    }).toArray();
    return all.sort((a, b) =>
      byValue ? (a.value < b.value ? 1 : -1) : b.count - a.count || (a.value < b.value ? -1 : 1)
    );
  }
}

/** Returns the facets in a text with commas. Throws `UserError` `facet_unknown`. */
export function facetsNamed(text: string): Facet[] {
  const names = text.split(/[,，、\s]+/).map((name) => name.trim().toLowerCase()).filter((name) =>
    name !== ""
  );
  return [...new Set(names)].map((name) => {
    const known = FACETS.find((facet) => facet === name || `${facet}s` === name);
    if (known === undefined) throw new UserError("facet_unknown", { name, known: FACETS.join(", ") });
    return known;
  });
}
