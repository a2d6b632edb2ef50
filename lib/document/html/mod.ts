/**
 * Web pages, and HTML within other formats.
 * @module
 */
export { convertHtml, type ConvertOptions } from "./convert.ts";
export { decodeHtml } from "./decode.ts";
export { isoDate, languageTag } from "./metadata.ts";
export { type Convert, tableOf } from "./cals_table.ts";
export { mathText, tex } from "./math.ts";
export type { Element } from "./tree.ts";
export { isHtml } from "./detect.ts";
export { loader, loadHtml } from "./loader.ts";
export { element, writeTree } from "./write_tree.ts";
