/**
 * Opens an index as an Orama database. The program's own search uses only `orama_legs.ts`.
 * @module
 */
export {
  type OramaComponents,
  oramaComponents,
  type OramaDocument,
  type OramaOptions,
  type OramaSchema,
  oramaSchema,
} from "./components.ts";
