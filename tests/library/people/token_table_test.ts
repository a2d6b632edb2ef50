import { deepEqual, equal } from "node:assert/strict";
import { TokenTable } from "#library/people/token_table.ts";
import { databaseOf, quotedName } from "#library/store/postgres/database.ts";
import { usingPglite } from "../../_pglite.ts";
import { PROMISES, token } from "./_token_stores.ts";

for (const [promise, keep] of Object.entries(PROMISES)) {
  Deno.test(`the table of tokens ${promise}`, () =>
    usingPglite((_, settings) => keep(new TokenTable(settings))));
}

Deno.test("a row that is not understood counts as a token that nobody has, and can be revoked", () =>
  usingPglite(async (_, settings) => {
    const store = new TokenTable(settings);
    await store.add(token("ann"));
    const damages = [
      `access = '{}'`,
      `access = 'null'`,
      `access = '{"tags": ["a"]}'`,
      `access = '{"levels": ["a"], "tags": ["a"]}'`,
      `grants = '{}'`,
      `grants = '[{"collection": "alpha", "right": "admin"}]'`,
      `hash = 'ab'`,
      `expires = 'infinity'`,
    ];
    const change = (what: string) =>
      databaseOf(settings).query(`update ${quotedName(settings.schema)}.token set ${what}`);
    for (const damage of damages) {
      const { hash } = token("ann");
      await change(
        `access = null, grants = '[{"collection": "alpha", "right": "read"}]', hash = '${hash}', expires = null`,
      );
      deepEqual(await store.list(), [token("ann")]);
      await change(damage);
      const [found] = await store.list();
      deepEqual([found?.name, found?.grants, found?.revoked], ["ann", [], new Date(0)], damage);
    }
    equal(await store.revoke("ann"), true);
  }));
