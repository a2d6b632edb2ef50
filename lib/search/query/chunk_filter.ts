import { LANGUAGE_CODES } from "../../index/mod.ts";
import type { ChunkFilter, OpenIndex } from "../../store/mod.ts";
import type { Filter } from "../collection_types.ts";
import { fileTest } from "./file_filter.ts";
import type { ParsedQuery, QueryFilters } from "./types.ts";

/** Conditions on the properties and the words of a chunk. */
export interface ChunkConditions extends Pick<ParsedQuery, "phrases" | "excluded" | "excludedPhrases"> {
  /** The filters typed in the query and those given as parameters. All must hold. */
  readonly filters: readonly QueryFilters[];
  /** Returns the test of the paths in an index, `/` between their parts; only files that pass it may be found. */
  readonly below?: ((index: OpenIndex) => (path: string) => boolean) | undefined;
}

/** Returns the filter for chunks that meet all conditions, or `undefined` if there are no conditions. */
export function filterFor(conditions: ChunkConditions): Filter | undefined {
  const { phrases, excluded, excludedPhrases, filters, below } = conditions;
  const passesFilters = fileTest(filters);
  const anyFile = passesFilters === undefined && below === undefined;
  const languages = languagesOf(filters);
  if (anyFile && languages === undefined && phrases.length + excluded.length + excludedPhrases.length === 0) {
    return undefined;
  }
  const made = new Map<OpenIndex, ChunkFilter>();
  const make = (index: OpenIndex): ChunkFilter => {
    const isBelow = below?.(index) ?? (() => true);
    return {
      ...(anyFile ? {} : {
        files: Uint8Array.from(
          index.files,
          (file) => isBelow(file.path) && passesFilters?.(file) !== false ? 1 : 0,
        ),
      }),
      ...(languages === undefined ? {} : { languages }),
      phrases,
      excluded,
      excludedPhrases,
    };
  };
  return (index) => {
    let filter = made.get(index);
    if (filter === undefined) made.set(index, filter = make(index));
    return filter;
  };
}

/** Returns the test whether a path lies below one of `paths`, or any path without them. `/` separates the parts. */
export function belowTest(paths: readonly string[] | undefined): (path: string) => boolean {
  const prefixes = paths?.map((path) => `${path}/`);
  return (path) => prefixes === undefined || prefixes.some((prefix) => path.startsWith(prefix));
}

/** Returns the languages that pass all filters, or `undefined` if all do. */
function languagesOf(filters: readonly QueryFilters[]): ReadonlySet<number> | undefined {
  if (filters.every(({ lang, not }) => lang.length + not.lang.length === 0)) return undefined;
  const names = Object.keys(LANGUAGE_CODES) as (keyof typeof LANGUAGE_CODES)[];
  const passing = names.filter((name) =>
    filters.every(({ lang, not }) =>
      (lang.length === 0 || lang.some((wanted) => wanted === name)) &&
      !not.lang.some((unwanted) => unwanted === name)
    )
  );
  return new Set(passing.map((name) => LANGUAGE_CODES[name]));
}
