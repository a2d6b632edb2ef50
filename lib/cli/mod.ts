/** The command line: from the arguments to the exit code. */
export { HandedInput } from "./handed_input.ts";
export { type Io, type SystemFacts, systemFacts, systemIo } from "./io.ts";
export { run } from "./run.ts";
export { runInWorker, type WorkerRequest } from "./run_in_worker.ts";
export { loadCommand, runGuarded } from "./run_request.ts";
