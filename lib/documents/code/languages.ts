/**
 * Tells the language of source code, by the name of the file or the interpreter that its first line names.
 * A language with a grammar is parsed; all others are outlined by their keywords and indentation.
 */
import { byWord, fileName, words } from "../types.ts";

/** Languages that have a grammar. */
export type Language = keyof typeof LANGUAGES;

/** A language, or `other` for source code of a language without a grammar. */
export type CodeKind = Language | "other";

/** The extensions of each language that has a grammar. */
const LANGUAGES = {
  bash: "sh bash zsh ksh",
  c: "c",
  "c_sharp": "cs csx",
  cpp: "cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl cu cuh ino",
  go: "go",
  java: "java",
  javascript: "js mjs cjs jsx",
  php: "php php5 phtml",
  powershell: "ps1 psm1",
  python: "py pyi pyw",
  ruby: "rb rake gemspec",
  rust: "rs",
  tsx: "tsx",
  typescript: "ts mts cts",
};
const EXTENSIONS = byWord<Language>(LANGUAGES);

/** Extensions of languages that are outlined by their keywords and indentation. */
const OTHERS = words(
  "kt kts swift lua sql r scala sc groovy gradle dart vb bas vbs pas dpr d nim zig hs lhs ml mli fs fsx erl hrl ex exs",
  "el lisp lsp scm rkt clj cljs cljc edn jl pl pm t tcl m mm f f90 f95 for cob cbl v sv vhd vhdl sol cl glsl hlsl wgsl proto",
  "thrift graphql gql bat cmd fish awk vim asm s cmake mk mak make tf hcl nix bzl coffee cr hx elm purs ada adb ads",
  "vue svelte astro psd1 applescript ahk au3 abap apex cls pro prolog cfc matlab sas stan",
);

const NAMES: Readonly<Record<string, CodeKind>> = byWord({
  ruby: "rakefile gemfile vagrantfile brewfile",
  other: "makefile gnumakefile cmakelists.txt jenkinsfile dockerfile justfile",
});

const INTERPRETERS: readonly [RegExp, CodeKind][] = [
  [/^(?:ba|da|z|k|a)?sh$/, "bash"],
  [/^(?:python|pypy)[\d.]*$/, "python"],
  [/^(?:node|nodejs|bun)$/, "javascript"],
  [/^(?:deno|ts-node|tsx)$/, "typescript"],
  [/^ruby[\d.]*$/, "ruby"],
  [/^php[\d.]*$/, "php"],
  [/^pwsh$/, "powershell"],
  [/^(?:perl|lua|tclsh|wish|Rscript|awk|gawk|fish|groovy|scala|swift|julia|guile|make)[\d.]*$/, "other"],
];

/** Matches words that only C++ has, at the start of a line of a header. */
const CPP_ONLY =
  /^\s*(?:namespace\s+[\w:]*\s*\{?|template\s*<|class\s+\w|using\s+\w|(?:public|private|protected)\s*:)/m;
/** UTF-16 units at the start of a header that are searched for such words. */
const HEADER_SAMPLE = 100_000;

/**
 * Returns the language of a source file, by its name or else by its first line (`#!`). `undefined` for a text that is not
 * source code. `path` may contain folders, with either separator.
 */
export function codeKind(path: string, text: string): CodeKind | undefined {
  const name = fileName(path).toLowerCase();
  if (Object.hasOwn(NAMES, name)) return NAMES[name];
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot + 1);
  if (extension === "h") return CPP_ONLY.test(text.slice(0, HEADER_SAMPLE)) ? "cpp" : "c";
  if (Object.hasOwn(EXTENSIONS, extension)) return EXTENSIONS[extension];
  if (OTHERS.has(extension)) return "other";
  return dot <= 0 ? byFirstLine(text) : undefined;
}

function byFirstLine(text: string): CodeKind | undefined {
  const line = /^#!\s*(\S{1,200})(?:[ \t]+(?:-S[ \t]+)?(\S{1,200}))?/.exec(text.slice(0, 500));
  if (line === null) return undefined;
  const [, path = "", argument = ""] = line;
  const program = (name: string) => name.slice(name.lastIndexOf("/") + 1);
  const name = program(path) === "env" ? program(argument) : program(path);
  return INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1];
}
