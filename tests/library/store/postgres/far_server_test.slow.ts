import { databaseOf } from "#library/store/postgres/database.ts";
import { assertUserError } from "../../../foundation/boundary/helpers.ts";
import { farServer } from "../../../_far_server.ts";
import { usingPglite } from "../../../_pglite.ts";

Deno.test("a server that answers no more is given up, also by a caller that has a signal", async () => {
  await usingPglite(async (address, settings) => {
    await using far = await farServer(address);
    const database = databaseOf({ ...settings, url: far.url });
    await database.query("select 1");
    far.ms = 600_000;
    const { signal } = new AbortController();
    await assertUserError(() => database.query("select 1", [], { signal }), "store_slow");
    await database.close();
  });
});
