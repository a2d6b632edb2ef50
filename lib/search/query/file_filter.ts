import { Patterns } from "../../corpus/mod.ts";
import type { StoredFile } from "../../index/mod.ts";
import type { QueryFilters } from "./types.ts";

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
export type FileTest = (file: StoredFile) => boolean;

/** Returns the test of a file by path, extension and time of change; `undefined` if every file passes. */
export function fileTest(filters: readonly QueryFilters[]): FileTest | undefined {
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

/** Returns the text after the last dot of the name, or the name, so that `Makefile` is a type. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.slice(name.lastIndexOf(".") + 1);
}

function normalized(path: string): string {
  return path.normalize("NFKC").toLowerCase();
}
