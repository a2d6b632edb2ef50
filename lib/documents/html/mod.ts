/**
 * Web pages, and HTML within other formats.
 * @module
 */
export { convertHtml, type ConvertOptions, isoDate, languageTag, loader, loadHtml } from "./loader.ts";
export { decodeHtml } from "../decode.ts";
export { type Convert, element, tableOf, writeTree } from "./from_xml.ts";
export { mathText, tex } from "./flow.ts";
export type { Element } from "./parse.ts";
export { isHtml } from "../xml/root_tag.ts";
