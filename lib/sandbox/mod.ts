/** What may be touched: path rules, sensitive places, and the guard that every read passes. */
export * from "./boundary.ts";
export * from "./file_error.ts";
export * from "./hostile.ts";
export * from "./open.ts";
export * from "./paths.ts";
export * from "./sensitive.ts";
export * from "./target.ts";
