import { Patterns } from "../../corpus/mod.ts";
import type { StoredFile } from "../../index/mod.ts";
import type { QueryFilters } from "./types.ts";

/** Extensions that mean the same kind of file; names of languages stand for theirs. */
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
 * Returns the test whether a path contains one of the values or matches one with wildcards. Case and width of characters are
 * ignored. A slash in front ties a value to the beginning of a part of the path.
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
    // the patterns look at every folder of a path: 1.5 µs
    return patterns !== undefined && literals.some((literal) => rooted.includes(literal)) &&
      patterns.matches(rooted.slice(1));
  };
}

/** Text that a path must hold to match a glob; empty where brackets or backslashes make it unsure. */
function longestLiteral(glob: string): string {
  if (/[[\\]/.test(glob)) return "";
  // `a/**/b` matches `a/b`, and `docs*/` the folder `docs`, which has no slash behind it where it is a file's path
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

/** The text after the last point of the name, or the name: `Makefile` is a type of its own. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.slice(name.lastIndexOf(".") + 1);
}

function normalized(path: string): string {
  return path.normalize("NFKC").toLowerCase();
}
