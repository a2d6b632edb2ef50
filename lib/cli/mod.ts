export { run } from "./run.ts";
export { systemIo } from "./io.ts";
export type { Io } from "./io.ts";
