/**
 * An index as an Orama database, and the search of a collection through Orama.
 * @module
 */
export {
  type OramaComponents,
  oramaComponents,
  type OramaOptions,
  type OramaSchema,
  oramaSchema,
} from "./components.ts";
export type { OramaDocument } from "./documents.ts";
export { OramaLegs } from "./orama_legs.ts";
