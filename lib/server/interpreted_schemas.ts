/**
 * How zod checks messages: without a function for each schema, which it would write and compile when the schema is first used. Those
 * of a start take longer than they ever save. It is a module of its own, so that an executable contains no more of zod for it.
 */
import { config } from "zod";

/**
 * It counts for schemas that are made later, so call it before the SDK is loaded. A call at the top of the module would be left out of
 * executables, because their bundler takes it for one without effect.
 */
export function interpretSchemas(): void {
  config({ jitless: true });
}
