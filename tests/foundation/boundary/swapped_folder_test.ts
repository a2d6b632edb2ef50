import { deepEqual, ok } from "node:assert/strict";
import { listFolder, openInside, type Resolved } from "#foundation/boundary/mod.ts";
import { swapping } from "../../attacks/_swapping.ts";
import { TempDir, textOf } from "./helpers.ts";

const TRIES = 5000;
/** A check of change times would trust folders that were unchanged for this long. */
const QUIET_MS = 3000;

/** The different results of so many attempts; for an error its key or name. */
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
  "a parent of the allowed folder that alternates with a link gives no access to its target",
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
        return await textOf(file);
      },
      listed: () => listFolder(root).map(({ name }) => name).join(),
      "listed by a caller that knows an entry": () =>
        listFolder(root, ({ name }) => name === "a.md").map(({ name }) => name).join(),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      await context.step(name, async () => {
        const found = await outcomes(attempt);
        deepEqual(found.filter((text) => /secret/.test(text)), []);
        // Shows that the attack took place.
        ok(found.includes("no_permission"), found.join());
      });
    }
  },
);
