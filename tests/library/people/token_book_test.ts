import { deepEqual, equal } from "node:assert/strict";
import { TokenBook, type TokenRecord, type TokenStore } from "#library/people/mod.ts";
import { token } from "./_token_stores.ts";

/** A store of tokens outside of the process: it may fail, and counts how often it is read. */
class Kept implements TokenStore {
  tokens: TokenRecord[] = [];
  failure: Error | undefined;
  reads = 0;
  readonly used: string[] = [];
  async list() {
    this.reads++;
    await Promise.resolve();
    if (this.failure !== undefined) throw this.failure;
    return this.tokens;
  }
  add = () => Promise.resolve();
  revoke = () => Promise.resolve(true);
  noteUse = (hashes: readonly string[]) => {
    this.used.push(...hashes);
    return Promise.resolve();
  };
}

/** A book whose time the test sets. */
function book(store: Kept) {
  const clock = { now: Date.parse("2026-06-01T00:00:00Z") };
  const errors: string[] = [];
  const onError = (error: unknown) => errors.push(String(error));
  return { clock, errors, book: new TokenBook(store, { now: () => clock.now, onError }) };
}

const hash = (name: string) => Uint8Array.fromHex(token(name).hash);

Deno.test("a token is found while it is valid, as the same person each time", async () => {
  const store = new Kept();
  store.tokens = [
    token("ann", { expires: new Date("2026-06-01T00:00:10Z") }),
    token("bob", { revoked: new Date(0) }),
  ];
  const { book: tokens, clock } = book(store);
  equal(tokens.find(hash("ann")), undefined);
  await tokens.look();
  const ann = tokens.find(hash("ann"))!;
  deepEqual([ann.principal.name, ann.principal.grants], ["ann", token("ann").grants]);
  deepEqual([tokens.find(hash("bob")), tokens.find(hash("cat")), tokens.find(new Uint8Array(5))], [
    undefined,
    undefined,
    undefined,
  ]);
  clock.now += 5000;
  await tokens.look();
  equal(tokens.find(hash("ann")), ann);
  equal(tokens.has(ann), true);
  // It ends to the millisecond, without a look.
  clock.now += 5000;
  deepEqual([tokens.find(hash("ann")), tokens.has(ann)], [undefined, false]);
});

Deno.test("a token with other rights is another person, so that sessions of the old rights end", async () => {
  const store = new Kept();
  store.tokens = [token("ann")];
  const { book: tokens, clock } = book(store);
  await tokens.look();
  const before = tokens.find(hash("ann"))!;
  store.tokens = [token("ann", { grants: [] })];
  clock.now += 3000;
  await tokens.look();
  const after = tokens.find(hash("ann"))!;
  deepEqual([after === before, after.principal.grants, tokens.has(after), tokens.has(before)], [
    false,
    [],
    true,
    false,
  ]);
});

Deno.test("requests at the same time share a look, and the store is read every two seconds at most", async () => {
  const store = new Kept();
  const { book: tokens, clock } = book(store);
  await Promise.all(Array.from({ length: 50 }, () => tokens.look()));
  await tokens.look();
  equal(store.reads, 1);
  clock.now += 2000;
  await Promise.all(Array.from({ length: 50 }, () => tokens.look()));
  equal(store.reads, 2);
});

Deno.test("a server asks for tokens as soon as there was one or the store cannot be read, and goes on asking", async () => {
  const store = new Kept();
  const { book: tokens, clock } = book(store);
  await tokens.look();
  equal(tokens.isGuarding, false);
  store.tokens = [token("ann", { revoked: new Date(0) })];
  clock.now += 3000;
  await tokens.look();
  equal(tokens.isGuarding, true);
  store.tokens = [];
  clock.now += 3000;
  await tokens.look();
  equal(tokens.isGuarding, true);
  const failing = new Kept();
  failing.failure = new Error("down");
  const other = book(failing);
  await other.book.look();
  equal(other.book.isGuarding, true);
});

Deno.test("while the store is down, known tokens hold for a minute, and then nobody is admitted", async () => {
  const store = new Kept();
  store.tokens = [token("ann")];
  const { book: tokens, clock, errors } = book(store);
  await tokens.look();
  store.failure = new Error("down");
  for (let second = 0; second < 60; second += 3) {
    clock.now += 3000;
    await tokens.look();
    equal(tokens.find(hash("ann")) !== undefined, true);
  }
  clock.now += 3000;
  equal(tokens.find(hash("ann")), undefined);
  deepEqual(errors, ["Error: down"]);
  store.failure = undefined;
  await tokens.look();
  equal(tokens.find(hash("ann")) !== undefined, true);
});

Deno.test("the use of a token is noted once a minute", async () => {
  const store = new Kept();
  store.tokens = [token("ann")];
  const { book: tokens, clock } = book(store);
  await tokens.look();
  const ann = tokens.find(hash("ann"))!;
  for (let i = 0; i < 5; i++) await tokens.noteUse(ann);
  clock.now += 61_000;
  await tokens.noteUse(ann);
  deepEqual(store.used, [token("ann").hash, token("ann").hash]);
});
