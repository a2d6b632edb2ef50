/**
 * The tables of the store, in the statements that make them: the index as pages, locks, everything else that is kept about a collection;
 * the tokens of people, and which rows a transaction sees that is bound to some collections; vectors for pgvector; runs that several
 * writers do together. `{name}` stands for a table of the store.
 */

/**
 * Pages hold numbers and postings that are packed already, so they are stored as they are: a part of a page is read without unpacking
 * the rest. Keys of texts are compared byte by byte, like the order of names in a folder, whatever the language of the database is.
 */
export const TABLES: readonly string[] = [
  `create table {collection} (
    id bigint generated always as identity primary key,
    name text collate "C" not null unique,
    key bytea not null,
    manifest jsonb,
    version bigint not null default 0,
    removed_version bigint not null default 0
  )`,
  `create table {segment} (
    id bigint generated always as identity primary key,
    collection bigint not null references {collection} on delete cascade,
    size bigint not null,
    created timestamptz not null default now(),
    retired timestamptz
  )`,
  `create index on {segment} (collection)`,
  `create table {page} (
    collection bigint not null,
    segment bigint not null references {segment} on delete cascade,
    part integer not null,
    data bytea not null,
    primary key (segment, part)
  )`,
  `alter table {page} alter column data set storage external`,
  `create table {lease} (
    collection bigint not null references {collection} on delete cascade,
    work text not null,
    token uuid not null,
    holder text not null,
    until timestamptz not null,
    primary key (collection, work)
  )`,
  `create table {neural_set} (
    id bigint generated always as identity primary key,
    collection bigint not null references {collection} on delete cascade,
    model text not null,
    dimensions integer not null,
    generation bigint not null default 0,
    current boolean not null
  )`,
  `create unique index on {neural_set} (collection, model) where current`,
  `create table {neural_vector} (
    collection bigint not null,
    neural_set bigint not null references {neural_set} on delete cascade,
    number bigint generated always as identity,
    hash bytea not null,
    numbers bytea not null,
    scale real not null,
    primary key (neural_set, hash)
  )`,
  `create index on {neural_vector} (neural_set, number)`,
  `create table {generated} (
    collection bigint not null references {collection} on delete cascade,
    key text collate "C" not null,
    value text not null,
    unused_since timestamptz,
    primary key (collection, key)
  )`,
  `create table {recognised} (
    collection bigint not null references {collection} on delete cascade,
    key text collate "C" not null,
    value text not null,
    primary key (collection, key)
  )`,
  `create table {evaluation} (
    collection bigint not null references {collection} on delete cascade,
    name text collate "C" not null,
    text text not null,
    primary key (collection, name)
  )`,
  `create table {removed} (
    collection bigint not null references {collection} on delete cascade,
    path text collate "C" not null,
    primary key (collection, path)
  )`,
];

/** Tables whose rows belong to a collection. */
const OF_COLLECTIONS = [
  "segment",
  "page",
  "lease",
  "neural_set",
  "neural_vector",
  "generated",
  "recognised",
  "evaluation",
  "removed",
] as const;

/** Whether the setting of this transaction, a JSON array of names, has the name of a collection. Without the setting: null, so no. */
const isIn = (setting: "readable" | "writable") =>
  `nullif(current_setting('muxue_rag.${setting}', true), '')::jsonb ? name`;

/**
 * The policies hold for every role but the owner of the tables: a collection is seen by a transaction with its name in `muxue_rag.readable`
 * and changed by one with its name in `muxue_rag.writable`.
 */
const PEOPLE: readonly string[] = [
  `create table {token} (
    name text collate "C" primary key,
    hash text not null unique,
    grants jsonb not null,
    access jsonb,
    made timestamptz not null,
    expires timestamptz,
    revoked timestamptz,
    used timestamptz
  )`,
  `alter table {meta} enable row level security`,
  `create policy readable on {meta} for select using (true)`,
  // Without a policy, nobody else sees or adds a token.
  `alter table {token} enable row level security`,
  ...policies("collection", isIn("readable"), isIn("writable")),
  ...OF_COLLECTIONS.flatMap((table) => tableOfCollections(table)),
];

/** The statements that bind the rows of a table to the collections of a transaction. Every later table with a column `collection` needs them. */
function tableOfCollections(table: string): string[] {
  // The policy of the table of collections holds in this query as well.
  const readable = "collection in (select id from {collection})";
  const writable = `collection in (select id from {collection} where ${isIn("writable")})`;
  return policies(table, readable, writable);
}

function policies(table: string, readable: string, writable: string): string[] {
  return [
    `alter table {${table}} enable row level security`,
    `create policy readable on {${table}} for select using (${readable})`,
    `create policy added on {${table}} for insert with check (${writable})`,
    `create policy changed on {${table}} for update using (${writable}) with check (${writable})`,
    `create policy deleted on {${table}} for delete using (${writable})`,
  ];
}

/**
 * Installs pgvector if the user may, and creates the table if pgvector is there. Errors are only noted, because without the table the
 * program compares vectors itself. The numbers are stored in the row, where an index and a comparison read them without another look-up.
 * A search with a filter reads rows by `number`, in the order in which they lie: 10,000 of 100,000 in half the time that their hashes
 * take. These statements run again before vectors are written, because pgvector may have been installed later.
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
      number bigint generated always as identity unique,
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

/** The holder of the lock of the index begins a run; a job is a batch of its files that is not in the index yet. */
const JOBS: readonly string[] = [
  `create table {shared_run} (
    collection bigint primary key references {collection} on delete cascade,
    settings text not null
  )`,
  `create table {job} (
    id bigint generated always as identity primary key,
    collection bigint not null references {shared_run} on delete cascade,
    files jsonb not null,
    owner uuid,
    until timestamptz,
    tries integer not null default 0
  )`,
  `create index on {job} (collection)`,
  ...["shared_run", "job"].flatMap((table) => tableOfCollections(table)),
];

/**
 * The statements of each migration, in the order in which they run. To change the tables add one at the end; what is in the list stays
 * as it is.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [TABLES, PEOPLE, VECTORS, JOBS];
