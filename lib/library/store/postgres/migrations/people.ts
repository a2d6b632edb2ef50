/** The tokens of people, and which rows a transaction sees that is bound to some collections. */

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
export const PEOPLE: readonly string[] = [
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
export function tableOfCollections(table: string): string[] {
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
