/** Tokens in a database, for all servers that use it. */
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import { databaseOf, type StoreSettings, Tables } from "#library/store/postgres/mod.ts";
import { type Grant, isValid, type TokenRecord, type TokenStore } from "./principal.ts";

/** A row of the table. Only the owner of the tables sees it. */
interface Row {
  readonly name: string;
  readonly hash: string;
  readonly grants: readonly Grant[];
  readonly access: TokenRecord["access"] | null;
  readonly made: Date;
  readonly expires: Date | null;
  readonly revoked: Date | null;
  readonly used: Date | null;
}

/** The tokens in the schema of a database. */
export class TokenTable implements TokenStore {
  readonly #tables: Tables;

  constructor(settings: StoreSettings) {
    this.#tables = new Tables(databaseOf(settings), settings.schema);
  }

  async list(): Promise<readonly TokenRecord[]> {
    const rows = await this.#tables.read<Row>(
      "select name, hash, grants, access, made, expires, revoked, used from {token} order by name",
      [],
    );
    return rows.map((row) =>
      present({
        ...row,
        access: row.access ?? undefined,
        expires: row.expires ?? undefined,
        revoked: row.revoked ?? undefined,
        used: row.used ?? undefined,
      })
    );
  }

  async add({ name, hash, grants, access, made, expires }: TokenRecord): Promise<void> {
    const added = await this.#tables.write(
      `insert into {token} as known (name, hash, grants, access, made, expires) values ($1, $2, $3::jsonb, $4::jsonb, $5, $6)
       on conflict (name) do update set hash = excluded.hash, grants = excluded.grants, access = excluded.access,
         made = excluded.made, expires = excluded.expires, revoked = null, used = null
       where known.revoked is not null or known.expires <= now()
       returning name`,
      [
        name,
        hash,
        JSON.stringify(grants),
        access === undefined ? null : JSON.stringify(access),
        made,
        expires ?? null,
      ],
    );
    if (added.length === 0) throw new UserError("token_name_taken", { name });
  }

  async revoke(name: string): Promise<boolean> {
    const known = (await this.list()).find((token) => token.name === name);
    if (known === undefined || !isValid(known, new Date())) return false;
    const ended = await this.#tables.write(
      "update {token} set revoked = now() where name = $1 and revoked is null returning name",
      [name],
    );
    return ended.length > 0;
  }

  async noteUse(hashes: readonly string[]): Promise<void> {
    await this.#tables.write("update {token} set used = now() where hash = any($1)", [hashes]);
  }
}
