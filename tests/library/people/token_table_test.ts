import { TokenTable } from "#library/people/token_table.ts";
import { usingPglite } from "../../_pglite.ts";
import { PROMISES } from "./_token_stores.ts";

for (const [promise, keep] of Object.entries(PROMISES)) {
  Deno.test(`the table of tokens ${promise}`, () =>
    usingPglite((_, settings) => keep(new TokenTable(settings))));
}
