/** Access to files: path rules, sensitive places, what each command may do, and the door that all file access goes through. */
export * from "./boundary.ts";
export * from "./file_error.ts";
export * from "./holds_too_much.ts";
export * from "./hostile.ts";
export * from "./paths.ts";
export * from "./permissions.ts";
export * from "./sensitive.ts";
export * from "./target.ts";
export * from "./unwritable.ts";
export * from "./why_no_logs.ts";
