export { run } from "./run.ts";
export { surroundings, systemIo } from "./io.ts";
export type { Io, Surroundings } from "./io.ts";
