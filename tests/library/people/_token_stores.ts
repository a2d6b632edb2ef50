import { type TokenRecord, type TokenStore } from "#library/people/mod.ts";
import { deepEqual, equal, rejects } from "node:assert/strict";

/** A token of somebody, made now. */
export function token(name: string, more: Partial<TokenRecord> = {}): TokenRecord {
  return {
    name,
    hash: new Uint8Array(32).fill(name.charCodeAt(0)).toHex(),
    grants: [{ collection: "alpha", right: "read" }],
    made: new Date("2026-01-02T03:04:05.678Z"),
    ...more,
  };
}

/** The promises of a place where tokens are kept. */
export const PROMISES: Readonly<Record<string, (store: TokenStore) => Promise<void>>> = {
  "gives back what was added, by name": async (store) => {
    deepEqual(await store.list(), []);
    const all = [
      token("ann"),
      token("Ben 备", {
        grants: [{ collection: '/docs/"x"', right: "write" }, { collection: "β", right: "read" }],
        expires: new Date("2030-01-01T00:00:00.000Z"),
      }),
      token("cat", { access: { levels: ["public", "内部"] } }),
    ];
    for (const one of all.toReversed()) await store.add(one);
    const names = (list: readonly TokenRecord[]) => list.toSorted((a, b) => a.name < b.name ? -1 : 1);
    deepEqual(names(await store.list()), names(all));
  },
  "refuses a second valid token of a name, and replaces an ended one": async (store) => {
    const old = { made: new Date("2020-01-01T00:00:00.000Z") };
    await store.add(token("ann"));
    await rejects(store.add(token("ann", { hash: "1".repeat(64) })), { key: "token_name_taken" });
    equal((await store.list())[0]!.hash, token("ann").hash);
    equal(await store.revoke("ann"), true);
    equal(await store.revoke("ann"), false);
    equal(await store.revoke("bob"), false);
    equal((await store.list())[0]!.revoked instanceof Date, true);
    const next = token("ann", {
      ...old,
      hash: "2".repeat(64),
      expires: new Date("2021-01-01T00:00:00.000Z"),
    });
    await store.add(next);
    deepEqual(await store.list(), [next]);
    // It has expired.
    equal(await store.revoke("ann"), false);
    await store.add(token("ann", { hash: "3".repeat(64) }));
    equal((await store.list()).length, 1);
  },
  "notes when a token was used": async (store) => {
    await store.add(token("ann"));
    await store.add(token("bob"));
    const before = Date.now();
    await store.noteUse([token("ann").hash]);
    const [ann, bob] = await store.list();
    equal(Math.abs(ann!.used!.getTime() - before) < 60_000, true);
    equal(bob!.used, undefined);
  },
};
