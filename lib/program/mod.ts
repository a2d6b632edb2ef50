/** The command line: from the arguments to the exit code. */
export { type Io, type SystemFacts, systemFacts, systemIo } from "./io.ts";
export { run } from "./run.ts";
export { runInWorker } from "./launch.ts";
