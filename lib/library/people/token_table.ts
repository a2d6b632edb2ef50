/** Tokens in a database, for all servers that use it. */
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import { databaseOf, type StoreSettings, Tables } from "#library/store/postgres/mod.ts";
import { damaged, recordOf, type TokenRecord, type TokenStore } from "./token_record.ts";

/** A row of the table as JSON. Only the owner of the tables sees it. */
interface Row {
  readonly name: string;
  readonly token: Readonly<Record<string, unknown>>;
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
      `select name, used, jsonb_strip_nulls(jsonb_build_object(
        'name', name, 'hash', hash, 'made', made, 'expires', expires, 'revoked', revoked)) ||
        jsonb_build_object('grants', grants) || case when access is null then '{}' else jsonb_build_object('access', access) end as token
       from {token} order by name`,
      [],
    );
    return rows.map(({ name, token, used }) =>
      present({ ...recordOf(token) ?? damaged(name), used: used ?? undefined })
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
    const ended = await this.#tables.write(
      "update {token} set revoked = now() where name = $1 and revoked is null and coalesce(expires > now(), true) returning name",
      [name],
    );
    return ended.length > 0;
  }

  async noteUse(hashes: readonly string[]): Promise<void> {
    await this.#tables.write("update {token} set used = now() where hash = any($1)", [hashes]);
  }
}
