import { serveMcp } from "../../mcp/mod.ts";
import { openLibrary } from "../../search/mod.ts";
import type { Session } from "../session.ts";
import { manyTargets } from "../targets.ts";

/** `serve`: the MCP server on stdin and stdout, until stdin ends. */
export async function serve(session: Session): Promise<number> {
  const { config, language, log, version, signal } = session;
  const library = openLibrary(await manyTargets(session), config);
  try {
    await serveMcp({
      library,
      language,
      log,
      version,
      signal,
      input: Deno.stdin.readable,
      output: Deno.stdout.writable,
    });
  } finally {
    library.close();
  }
  signal.throwIfAborted();
  return 0;
}
