/**
 * Reads documents in processes without permissions.
 *
 * Parsers are the part of the program that is easiest to attack. A parser that hangs or fills memory cannot be stopped
 * inside the process that serves searches: the runtime cannot end a busy thread, and a full heap ends the whole process.
 * @module
 */
export { Extractor, ExtractorUnavailableError } from "./extractor.ts";
export { ConnectionRelay, RelayedConnections, type RelayEvent, type RelayRequest } from "./relay.ts";
export type { ListedArchive } from "./serve_loaders.ts";
export { EXTRACT_ARGUMENT, runExtractor } from "./process.ts";
