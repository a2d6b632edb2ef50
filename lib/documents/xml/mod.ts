/**
 * Reads XML into trees, within limits of depth and size. Entities and external resources are never resolved.
 * @module
 */
export {
  child,
  children,
  descendants,
  type FoundElement,
  lineOf,
  parseXml,
  readElements,
  textOf,
  type XmlElement,
  type XmlNode,
  type XmlOptions,
  type XmlSource,
} from "./read.ts";
export { type RootTag, rootTag } from "./root_tag.ts";
