/** Calls that belong to no page: what the browser needs to know first, and files in the file manager. */
import { Hono } from "hono/tiny";
import * as z from "zod";
import { UserError } from "#foundation/errors.ts";
import { bodyOf } from "../answers.ts";
import { PATH } from "../forms.ts";
import type { PagesParts } from "../parts.ts";
import type { RevealCall, SessionInfo } from "../wire/common.ts";

const REVEAL: z.ZodType<RevealCall> = z.object({ path: PATH });

/** Bytes of a file that is shown in the file manager: it is read to see that it may be shown. */
const MOST_BYTES = 512 * 1024 * 1024;

export function sessionRoutes(parts: PagesParts): Hono {
  const { library, language, version, answering, upkeep, work } = parts;
  return new Hono()
    .post("/info", (c) => {
      const info: SessionInfo = {
        version,
        language,
        collections: library.collections.map(({ name, root }) => ({ name, root })),
        can: {
          ask: answering !== undefined,
          ingest: upkeep !== undefined,
          reveal: work?.reveal !== undefined,
        },
      };
      return c.json(info);
    })
    .post("/reveal", async (c) => {
      const { path } = await bodyOf(c, REVEAL);
      if (work?.reveal === undefined) {
        throw new UserError("pages_no_file_manager");
      }
      // Only a file that the library gives, which reads it.
      work.reveal((await library.readOriginal(path, MOST_BYTES, c.req.raw.signal)).path);
      return c.json({});
    });
}
