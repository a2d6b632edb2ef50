/** The first tables: the index as pages, locks, and everything else that is kept about a collection. */

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
