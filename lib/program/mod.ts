/** The command line: from the arguments to the exit code. */
export { HandedInput, type Io, type SystemFacts, systemFacts, systemIo } from "./io.ts";
export { loadCommand, run, runGuarded } from "./run.ts";
export { runInWorker, type WorkerRequest } from "./run_in_worker.ts";
