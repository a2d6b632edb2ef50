/**
 * Reads XML into trees, within limits of depth and size. Entities and external resources are never resolved.
 * @module
 */
export { child, children, descendants, lineOf, textOf } from "./query.ts";
export { parseXml, readElements } from "./read.ts";
export { type RootTag, rootTag } from "./root_tag.ts";
export type { FoundElement, XmlElement, XmlNode, XmlOptions, XmlSource } from "./types.ts";
