import { deepEqual, equal, ok } from "node:assert/strict";
import { DamagedIndexError } from "#engine/index/mod.ts";
import { databaseOf, quotedName, type StoreSettings } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { usingPglite } from "../../../_pglite.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { random } from "../../../engine/index/_build.ts";
import { documents } from "../../../engine/index/_fixture.ts";
import { TempDir } from "../../../foundation/boundary/helpers.ts";
import { ASKS } from "../_asks.ts";
import { write } from "../_contract.ts";
import { differences } from "../_near.ts";

function storeIn(settings: StoreSettings, root: string): PostgresStore {
  const { schema } = settings;
  return new PostgresStore(
    root,
    { database: databaseOf(settings), schema, name: root, address: "pglite", cacheBytes: 1 << 26 },
    KEY,
  );
}

/** Every answer of an index to a process that has nothing of it yet; of a damaged one, those before the damage was found. */
async function answers(settings: StoreSettings, root: string) {
  await databaseOf(settings).close();
  const store = storeIn(settings, root);
  const given: Record<string, unknown> = {};
  const loaded = await store.open();
  if (loaded.state !== "ready") return { given, state: loaded.state };
  using index = loaded.index;
  try {
    for (const [name, ask] of Object.entries(ASKS)) given[name] = await ask(index);
    await index.verify();
    return { given, state: "sound" };
  } catch (error) {
    ok(error instanceof DamagedIndexError, String(error));
    return { given, state: "damaged" };
  }
}

Deno.test("a byte of a page that was changed is noticed, and answers before are exact", async () => {
  await usingPglite(async (_, settings) => {
    using dir = new TempDir();
    const schema = quotedName(settings.schema);
    (await write(
      storeIn(settings, dir.path),
      Object.fromEntries(documents().slice(0, 60).map((text, i) => [`${100 + i}.md`, [text]])),
    ))
      .close();
    const sound = await answers(settings, dir.path);
    equal(sound.state, "sound");
    const pages = await databaseOf(settings).query<{ part: number; size: number }>(
      `select part, octet_length(data) as size from ${schema}.page order by part`,
    );
    const next = random(7);
    for (let round = 0; round < 12; round++) {
      const { part, size } = pages[Math.floor(next() * pages.length)]!;
      const at = Math.floor(next() * size);
      const flip =
        `update ${schema}.page set data = set_byte(data, $2, get_byte(data, $2) # $3) where part = $1`;
      const change = [part, at, 1 + Math.floor(next() * 255)];
      await databaseOf(settings).query(flip, change);
      const { given, state } = await answers(settings, dir.path);
      ok(["damaged", "foreign", "outdated"].includes(state), `part ${part}, byte ${at}: ${state}`);
      for (const [name, answer] of Object.entries(given)) {
        deepEqual(
          differences(answer, sound.given[name]),
          [],
          `${name} after a change in part ${part}, byte ${at}`,
        );
      }
      await databaseOf(settings).query(flip, change);
    }
    equal((await answers(settings, dir.path)).state, "sound");
  });
});

Deno.test("a page that is missing, too short or of another segment is noticed", async () => {
  await usingPglite(async (_, settings) => {
    using dir = new TempDir();
    const schema = quotedName(settings.schema);
    const files = {
      "a.md": Array.from({ length: 3000 }, (_, i) => `word${i} of a text that fills pages ${i % 7}`),
    };
    for (
      const damage of [
        `delete from ${schema}.page where part = 1`,
        `update ${schema}.page set data = substring(data from 1 for 10) where part = 1`,
        `update ${schema}.page p set data = o.data from ${schema}.page o where p.part = 1 and o.part = 2 and o.segment = p.segment`,
      ]
    ) {
      (await write(storeIn(settings, dir.path), files)).close();
      await databaseOf(settings).query(damage);
      equal((await answers(settings, dir.path)).state, "damaged", damage);
    }
  });
});
