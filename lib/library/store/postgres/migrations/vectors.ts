/** The table of vectors for pgvector. */
import { tableOfCollections } from "./people.ts";

/**
 * Creates the table if pgvector is installed or can be: an administrator may have to. Without it the program compares vectors itself,
 * so no error is one. The numbers are stored in the row, where an index and a comparison read them without another look-up. Whoever writes
 * vectors runs this again, because pgvector may have come later.
 */
export const VECTORS: readonly string[] = [
  `do $do$
  declare place text;
  begin
    if to_regtype('halfvec') is null then create extension if not exists vector; end if;
    select quote_ident(nspname) into place from pg_extension join pg_namespace n on n.oid = extnamespace where extname = 'vector';
    execute 'create table if not exists {vector} (
      collection bigint not null references {collection} on delete cascade,
      model text not null,
      hash uuid not null,
      scale real not null,
      numbers ' || place || '.halfvec not null,
      primary key (collection, model, hash)
    )';
    alter table {vector} alter column numbers set storage plain;
    if not (select relrowsecurity from pg_class where oid = '{vector}'::regclass) then
      ${tableOfCollections("vector").join(";\n      ")};
    end if;
  exception when others then
    raise notice 'pgvector: %', sqlerrm;
  end $do$`,
];
