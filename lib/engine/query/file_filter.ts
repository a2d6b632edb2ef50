/**
 * Filters of a query as tests of files and masks of chunks.
 */
import { Patterns } from "#foundation/patterns.ts";
import {
  type ChunkFilter,
  type ChunkTest,
  LANGUAGE_CODES,
  type OpenIndex,
  type StoredFile,
  withTests,
} from "#engine/index/mod.ts";
import { metadataMask } from "./metadata_filter.ts";
import type { ParsedQuery } from "./parse_query.ts";
import type { QueryFilters } from "./types.ts";
import type { Filter } from "#engine/segments.ts";

/** Extensions of the same kind of file. The name of a programming language stands for its extensions. */
const SAME_TYPE: readonly (readonly string[])[] = [
  ["md", "markdown", "mdx"],
  ["txt", "text"],
  ["yaml", "yml"],
  ["html", "htm"],
  ["adoc", "asciidoc"],
  ["tex", "latex"],
  ["js", "mjs", "cjs", "jsx", "javascript"],
  ["ts", "mts", "cts", "tsx", "typescript"],
  ["py", "pyi", "python"],
  ["cpp", "cc", "cxx", "hpp", "hh", "c++"],
  ["cs", "c#"],
  ["rs", "rust"],
  ["rb", "ruby"],
  ["sh", "bash", "zsh", "shell"],
];

/** Whether a file may be found. */
type FileTest = (file: StoredFile) => boolean;

/** Returns a 1 for each file of an index that passes all filters, languages apart; `undefined` if every file does. `isBelow`: see {@linkcode ChunkConditions.below}. */
export function fileMask(
  index: Pick<OpenIndex, "files" | "fileMarks">,
  filters: readonly QueryFilters[],
  isBelow?: (path: string) => boolean,
): Uint8Array | undefined {
  const test = fileTest(filters);
  const conditions = filters.flatMap(({ metadata = [] }) => metadata);
  if (test === undefined && isBelow === undefined && conditions.length === 0) return undefined;
  const { files } = index;
  const mask = conditions.length === 0
    ? new Uint8Array(files.length).fill(1)
    : index.fileMarks((tables) => metadataMask(tables, conditions));
  if (test === undefined && isBelow === undefined) return mask;
  for (let file = 0; file < mask.length; file++) {
    if (mask[file] === 0) continue;
    const one = files[file]!;
    if (isBelow?.(one.path) === false || test?.(one) === false) mask[file] = 0;
  }
  return mask;
}

/** Returns the test of a file by path, extension and time of change; `undefined` if every file passes. */
function fileTest(filters: readonly QueryFilters[]): FileTest | undefined {
  const tests: FileTest[] = [];
  const add = (values: readonly string[], wanted: boolean, test: (values: readonly string[]) => PathTest) => {
    if (values.length === 0) return;
    const matches = test(values);
    tests.push(({ path }) => matches(path) === wanted);
  };
  for (const { path, type, not, after, before } of filters) {
    add(path, true, pathTest);
    add(not.path, false, pathTest);
    add(type, true, typeTest);
    add(not.type, false, typeTest);
    if (after !== undefined) tests.push(({ mtimeMs }) => mtimeMs >= after.getTime());
    if (before !== undefined) tests.push(({ mtimeMs }) => mtimeMs < before.getTime());
  }
  return tests.length === 0 ? undefined : (file) => tests.every((test) => test(file));
}

type PathTest = (path: string) => boolean;

/**
 * Returns a test of whether a path contains one of the values or matches one with wildcards. Case and width of characters
 * are ignored. A value that begins with a slash matches only at the beginning of a path component.
 */
function pathTest(values: readonly string[]): PathTest {
  const normal = values.map((value) => normalized(value).replaceAll("\\", "/").replace(/^\.\//, ""));
  const parts = normal.filter((value) => !isGlob(value));
  const globs = normal.filter(isGlob).map((value) => value.replace(/^[!#]/, "\\$&"));
  const patterns = globs.length === 0 ? undefined : Patterns.of(globs, { ignoreCase: true });
  const literals = globs.map(longestLiteral);
  return (path) => {
    const rooted = `/${normalized(path)}`;
    if (parts.some((part) => rooted.includes(part))) return true;
    // Matching the patterns takes 1.5 µs, because they are tested on every folder of the path.
    return patterns !== undefined && literals.some((literal) => rooted.includes(literal)) &&
      patterns.matches(rooted.slice(1));
  };
}

/** Returns a text that every match of a glob contains. Empty if the glob has brackets or backslashes. */
function longestLiteral(glob: string): string {
  if (/[[\\]/.test(glob)) return "";
  // `a/**/b` matches `a/b`, and `docs*/` the folder `docs`, which has no slash after it if the path is that of a file
  return glob.split(/[*?]+/).map((piece) => piece.replace(/^\/|\/$/g, ""))
    .reduce((longest, piece) => piece.length > longest.length ? piece : longest, "");
}

function isGlob(value: string): boolean {
  return /[*?]/.test(value);
}

function typeTest(values: readonly string[]): PathTest {
  const wanted = new Set(
    values.flatMap((value) => SAME_TYPE.find((same) => same.includes(value)) ?? [value]),
  );
  return (path) => wanted.has(extensionOf(normalized(path)));
}

/** Returns the type of a file: the first of the extensions of its kind. */
export function typeOfPath(path: string): string {
  const extension = extensionOf(normalized(path));
  return SAME_TYPE.find((same) => same.includes(extension))?.[0] ?? extension;
}

/** Returns the text after the last dot of the name, or the name, so that `Makefile` is a type. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.slice(name.lastIndexOf(".") + 1);
}

function normalized(path: string): string {
  return path.normalize("NFKC").toLowerCase();
}

/** Conditions on the properties and the words of a chunk. */
export interface ChunkConditions
  extends Pick<ParsedQuery, "phrases" | "excluded" | "excludedPhrases" | "expression"> {
  /** The filters typed in the query and those given as parameters. All must hold. */
  readonly filters: readonly QueryFilters[];
  /** Returns the test of the paths in an index, `/` between their parts; only files that pass it may be found. */
  readonly below?: ((index: OpenIndex) => (path: string) => boolean) | undefined;
}

/** Returns the filter for chunks that meet all conditions, or `undefined` if there are no conditions. */
export function filterFor(conditions: ChunkConditions): Filter | undefined {
  const { phrases, excluded, excludedPhrases, expression, filters, below } = conditions;
  const anyFile = below === undefined && fileTest(filters) === undefined &&
    filters.every(({ metadata = [] }) => metadata.length === 0);
  const languages = languagesOf(filters);
  const words = phrases.length + excluded.length + excludedPhrases.length;
  if (anyFile && languages === undefined && words === 0 && expression === undefined) return undefined;
  const made = new Map<OpenIndex, ChunkFilter>();
  const make = (index: OpenIndex): ChunkFilter => {
    const files = fileMask(index, filters, below?.(index));
    return {
      ...(files === undefined ? {} : { files }),
      ...(languages === undefined ? {} : { languages }),
      phrases,
      excluded,
      excludedPhrases,
      ...(expression && { expression: withTests(expression, (test) => chunkTest(index, test)) }),
    };
  };
  return (index) => {
    let filter = made.get(index);
    if (filter === undefined) made.set(index, filter = make(index));
    return filter;
  };
}

function chunkTest(index: OpenIndex, filters: QueryFilters): ChunkTest {
  const mask = fileMask(index, [filters]);
  const languages = languagesOf([filters]);
  return {
    ...(mask && { files: mask }),
    ...(languages && { languages }),
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
