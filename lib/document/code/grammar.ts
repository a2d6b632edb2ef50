import { brotliDecompressSync } from "node:zlib";
import type { Language } from "./languages.ts";

/** Each grammar is a separate module, so that only the grammars of the files at hand are loaded. */
const GRAMMARS: Readonly<Record<Language, () => Promise<{ readonly data: string }>>> = {
  bash: () => import("./grammars/bash.ts"),
  c: () => import("./grammars/c.ts"),
  "c_sharp": () => import("./grammars/c_sharp.ts"),
  cpp: () => import("./grammars/cpp.ts"),
  go: () => import("./grammars/go.ts"),
  java: () => import("./grammars/java.ts"),
  javascript: () => import("./grammars/javascript.ts"),
  php: () => import("./grammars/php.ts"),
  powershell: () => import("./grammars/powershell.ts"),
  python: () => import("./grammars/python.ts"),
  ruby: () => import("./grammars/ruby.ts"),
  rust: () => import("./grammars/rust.ts"),
  tsx: () => import("./grammars/tsx.ts"),
  typescript: () => import("./grammars/typescript.ts"),
};

/** Returns the WebAssembly module of a language's grammar. */
export async function grammarBytes(language: Language): Promise<Uint8Array> {
  return unpack((await GRAMMARS[language]()).data);
}

/** Returns the WebAssembly module of tree-sitter's parser. */
export async function parserBytes(): Promise<Uint8Array> {
  return unpack((await import("./grammars/parser.ts")).data);
}

function unpack(data: string): Uint8Array {
  return brotliDecompressSync(Uint8Array.fromBase64(data));
}
