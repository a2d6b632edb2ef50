/** The valid tokens of a running server, as they were a moment ago. */
import { timingSafeEqual } from "node:crypto";
import { present } from "#foundation/present.ts";
import type { AccessLimit } from "#library/search/types.ts";
import type { Principal } from "./principal.ts";
import { isValid, type TokenRecord, type TokenStore } from "./token_record.ts";

/** Milliseconds after which the store is looked at again: a revoked token is refused after that time at the latest. */
const LOOK_MS = 2000;
/** Milliseconds for which the tokens of the last look stay valid while the store cannot be read. After that nobody is admitted. */
const KEPT_MS = 60_000;
/** Milliseconds between two notes of the use of a token. */
const NOTE_MS = 60_000;

/** A principal with a valid token. The object stays the same while the token does. */
interface Person {
  /** SHA-256 of the token. */
  readonly hash: Uint8Array;
  readonly principal: Principal;
  readonly access?: AccessLimit | undefined;
}

/** Options of {@linkcode TokenBook}. */
interface TokenBookOptions {
  /** Told once for each row of failures. */
  readonly onError?: (error: unknown) => void;
  /** Whether requests need a token even if the store has none. Default: no. */
  readonly guards?: boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Looks up tokens for a server. */
export class TokenBook {
  readonly #store: TokenStore;
  readonly #options: TokenBookOptions;
  /** By the hash in hexadecimal. */
  #people: ReadonlyMap<string, { readonly person: Person; readonly record: TokenRecord }> = new Map();
  /** When each token was last noted. */
  readonly #noted = new Map<string, number>();
  #guards = false;
  #hasFailed = false;
  #lookedAt = -Infinity;
  #succeededAt = -Infinity;
  #looking: Promise<void> | undefined;

  constructor(store: TokenStore, options: TokenBookOptions = {}) {
    this.#store = store;
    this.#options = options;
    this.#guards = options.guards ?? false;
  }

  /** Whether requests need a token: the store has one, or had one since this process began. */
  get isGuarding(): boolean {
    return this.#guards;
  }

  /** Looks at the store, unless that was done just before. Never throws; requests at the same time share a look. */
  async look(): Promise<void> {
    if (this.#looking === undefined && this.#now() - this.#lookedAt < LOOK_MS) return;
    await (this.#looking ??= this.#look().finally(() => this.#looking = undefined));
  }

  /** The principal of a token by its hash, if it is valid now. */
  find(hash: Uint8Array): Person | undefined {
    const known = this.#people.get(hash.toHex());
    if (known === undefined || !timingSafeEqual(known.person.hash, hash)) return undefined;
    return this.has(known.person) ? known.person : undefined;
  }

  /** Whether a person that was found before still has a valid token with the same rights. */
  has(person: Pick<Person, "hash">): boolean {
    const known = this.#people.get(person.hash.toHex());
    if (known?.person !== person || this.#now() - this.#succeededAt > KEPT_MS) return false;
    return isValid(known.record, new Date(this.#now()));
  }

  /** Notes that a request of this person was admitted, once a minute. */
  async noteUse({ hash }: Pick<Person, "hash">): Promise<void> {
    const name = hash.toHex();
    if (this.#now() - (this.#noted.get(name) ?? -Infinity) < NOTE_MS) return;
    this.#noted.set(name, this.#now());
    try {
      await this.#store.noteUse([name]);
    } catch (error) {
      // A full disk must not keep people out.
      this.#options.onError?.(error);
    }
  }

  async #look(): Promise<void> {
    try {
      const records = await this.#store.list();
      if (records.length > 0) this.#guards = true;
      const now = new Date(this.#now());
      const valid = records.filter((record) => isValid(record, now));
      this.#people = new Map(valid.map((record) => {
        const known = this.#people.get(record.hash);
        const person = known !== undefined && isSame(known.record, record) ? known.person : personOf(record);
        return [record.hash, { person, record }];
      }));
      this.#succeededAt = this.#now();
      this.#hasFailed = false;
    } catch (error) {
      // There may be tokens.
      this.#guards = true;
      if (!this.#hasFailed) this.#options.onError?.(error);
      this.#hasFailed = true;
    }
    this.#lookedAt = this.#now();
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

function personOf({ name, grants, access, hash }: TokenRecord): Person {
  return present({ hash: Uint8Array.fromHex(hash), principal: present({ name, grants, access }), access });
}

function isSame(one: TokenRecord, other: TokenRecord): boolean {
  const rights = ({ name, grants, access }: TokenRecord) => JSON.stringify([name, grants, access]);
  return rights(one) === rights(other);
}
