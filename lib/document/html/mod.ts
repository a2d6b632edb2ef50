/**
 * Web pages, and HTML within other formats.
 * @module
 */
export { convertHtml, type ConvertOptions } from "./convert.ts";
export { decodeHtml } from "./_decode.ts";
export { loader } from "./loader.ts";
