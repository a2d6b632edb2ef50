/** The tables of a run that several writers do together. */
import { tableOfCollections } from "./people.ts";

/** The holder of the lock of the index begins a run; a job is a batch of its files that is not in the index yet. */
export const JOBS: readonly string[] = [
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
