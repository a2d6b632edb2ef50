/** Source code with its functions and classes as sections. */
export { codeKind } from "./languages.ts";
export { CodeLoader, loadCode, loader } from "./loader.ts";
