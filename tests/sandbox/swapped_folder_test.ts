import { deepEqual, ok } from "node:assert/strict";
import { listFolder, openInside, type Resolved } from "../../lib/sandbox/mod.ts";
import { swapping } from "../attacks/_swapping.ts";
import { TempDir } from "./helpers.ts";

const TRIES = 5000;
/** As long as a folder would have to be left alone to be trusted for it. */
const QUIET_MS = 3000;

/** What comes of so many tries, each once; in the place of an error its key or name. */
async function outcomes(attempt: () => Promise<string> | string): Promise<string[]> {
  const found = new Set<string>();
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      found.add(await attempt());
    } catch (error) {
      const { key, name } = error as { key?: string; name: string };
      found.add(key ?? name);
    }
  }
  return [...found];
}

Deno.test(
  "a folder above the allowed one that takes turns with a link elsewhere gives nothing of what is there",
  {
    ignore: Deno.build.os !== "linux",
  },
  async (context) => {
    using dir = new TempDir();
    const root = dir.at("top/project/docs");
    const place: Resolved = { real: dir.write("top/project/docs/a.md", "harmless"), root, relative: "a.md" };
    dir.write("elsewhere/docs/a.md", "secret");
    dir.write("elsewhere/docs/secret.md", "secret");
    Deno.symlinkSync(dir.at("elsewhere"), dir.at("top/link"));
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    await using _swap = await swapping(dir.at("top/project"), dir.at("top/link"));
    const attempts = {
      opened: async () => {
        using file = await openInside(place);
        return await new Response(file.readable).text();
      },
      listed: () => listFolder(root).map(({ name }) => name).join(),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      await context.step(name, async () => {
        const found = await outcomes(attempt);
        deepEqual(found.filter((text) => /secret/.test(text)), []);
        // not for want of an attack
        ok(found.includes("no_permission"), found.join());
      });
    }
  },
);
