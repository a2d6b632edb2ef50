/**
 * How zod checks messages: without a function for each schema, which it would write and compile when the schema is first used. Those
 * of a start take longer than they ever save.
 */
import { config } from "zod";

/** It counts for schemas that are made later, so call it before the SDK is loaded. */
export function interpretSchemas(): void {
  config({ jitless: true });
}
