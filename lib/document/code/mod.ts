/** Source code with its functions and classes as sections. */
export { codeKind } from "./languages.ts";
export { CodeLoader, loader } from "./loader.ts";
