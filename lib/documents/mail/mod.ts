/**
 * Mail, and MIME within other formats.
 * @module
 */
export { bodyOf, charactersOf, decodeField, parseMessage, type Part } from "./mime.ts";
export { loader } from "./loader.ts";
