import { LOG_LEVEL_META_KEY, type ServerContext } from "@modelcontextprotocol/server";
import type { Notes } from "./notes.ts";

/** Whether a request asks for messages while it is served, as requests of revision 2026-07-28 can. */
export function wantsNotes({ mcpReq: { envelope } }: ServerContext): boolean {
  return (envelope as Record<string, unknown> | undefined)?.[LOG_LEVEL_META_KEY] !== undefined;
}

/** Sends the messages that come while a request is served to its client, from the level on that the request names. */
export function notesDuring(call: ServerContext, notes: Notes | undefined): Disposable {
  const stop = notes === undefined || !wantsNotes(call)
    ? () => {}
    : notes.subscribe(({ level, text }) => void call.mcpReq.log(level, text, "muxue_rag").catch(() => {}));
  return { [Symbol.dispose]: stop };
}
