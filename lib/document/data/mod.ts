/** Data and logs, whose structure becomes sections. */
export { dataLoader } from "./data_loader.ts";
