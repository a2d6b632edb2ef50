/**
 * Opens an index as an Orama database. The program's own search uses only {@linkcode OramaLegs}.
 * @module
 */
export { OramaLegs } from "./legs.ts";
export {
  type OramaComponents,
  oramaComponents,
  type OramaDocument,
  type OramaOptions,
  type OramaSchema,
  oramaSchema,
} from "./components.ts";
