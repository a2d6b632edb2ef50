/** The database of the store, for what else is kept there. It is loaded only where the configuration names a database. */
export { databaseOf, type StoreSettings } from "./database.ts";
export { Tables } from "./tables.ts";
