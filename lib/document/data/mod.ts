/** Data and logs with their own structure as sections. */
export { dataLoader } from "./data_loader.ts";
