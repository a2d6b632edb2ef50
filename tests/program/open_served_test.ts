import { deepEqual, equal, rejects } from "node:assert/strict";
import { openServed } from "#program/commands/serve/served_library.ts";
import type { Session } from "#program/request.ts";
import { Extractor } from "#library/extract/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { fakeContext, fakeRequest } from "./_fake_io.ts";

/** A session of `serve` for a folder that has no index. */
function sessionFor(root: string, stateDir: string): Session {
  const { context } = fakeContext({ flags: { dir: [root] }, language: "en" });
  return {
    ...fakeRequest({ command: "serve", roots: [root], stateDir }),
    ...context,
    log: NO_LOG,
    extractor: Extractor.none(),
    models: () => Promise.resolve(undefined),
  };
}

/** The parameter `updating` of a search's error. */
async function updating(session: Session, resources: AsyncDisposableStack): Promise<unknown> {
  const library = await openServed(session, resources, undefined);
  let params: Record<string, unknown> = {};
  await rejects(library.search({ query: "tea" }), (error) => {
    ({ params } = error as { params: Record<string, unknown> });
    return true;
  });
  library.close();
  return params["updating"];
}

Deno.test("a server's updates start with its library and stop with its resources", async () => {
  using dir = new TempDir();
  dir.write("docs/tea.md", "green tea");
  const root = dir.at("docs");
  await using resources = new AsyncDisposableStack();
  equal(
    await updating(sessionFor(root, dir.at("state")), resources),
    `The index is being built now, so there is nothing to start. Search again later: ${root} (0 %)`,
  );
});

Deno.test("no updates start for a client that has left already", async () => {
  using dir = new TempDir();
  dir.write("docs/tea.md", "green tea");
  const resources = new AsyncDisposableStack();
  await resources.disposeAsync();
  equal(await updating(sessionFor(dir.at("docs"), dir.at("state")), resources), undefined);
  deepEqual([...Deno.readDirSync(dir.at("docs"))].map(({ name }) => name), ["tea.md"]);
});
