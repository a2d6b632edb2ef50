/**
 * The command `ui`: the web pages of folders, in the browser of this machine.
 */
import { servePages } from "#pages/mod.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import { openStore } from "#library/store/mod.ts";
import { EXIT } from "../context.ts";
import { note } from "../say.ts";
import type { Session } from "../request.ts";
import { pagesPartsOf } from "./serve/pages_parts.ts";
import { repeat } from "./serve/served_pages.ts";
import { ServedLibrary } from "./serve/served_library.ts";

/** `ui`: serves the pages until Ctrl-C. Prints the address on stdout, and a new one for each line on stdin at a terminal. */
export async function ui(session: Session): Promise<number> {
  const { io, flags, roots, signal, http } = session;
  if (http === undefined) throw new TypeError("ui without an address");
  if (roots.length === 0) throw new UsageError("pages_no_folder");
  await using library = new ServedLibrary(session);
  library.openSoon();
  await servePages({
    parts: await pagesPartsOf(session, library),
    host: http.host,
    port: http.port,
    ...(!await hasIndex(session) && { page: "ingestion" }),
    onListening: (newAddress) => {
      const address = newAddress();
      void io.out(`${address}\n`).catch(() => {});
      const isOpened = !flags.noOpen && io.show !== undefined;
      if (isOpened) io.show({ address });
      note(session, isOpened ? "pages_opened" : "pages_open_it");
      if (io.terminal.stdin) void repeat(session, newAddress);
    },
  });
  signal.throwIfAborted();
  return EXIT.done;
}

/** Whether one of the folders has an index. Otherwise the pages begin where the user can make one. */
async function hasIndex(session: Session): Promise<boolean> {
  for (const root of session.roots) {
    try {
      if (await openStore(session.config, root, session).exists()) return true;
    } catch (error) {
      // It is there and cannot be used.
      if (error instanceof UserError) return true;
      throw error;
    }
  }
  return false;
}
