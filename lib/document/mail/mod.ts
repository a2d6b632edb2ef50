/**
 * Mail, and MIME within other formats.
 * @module
 */
export { bodyOf, parseMessage, type Part } from "./mime.ts";
export { decodeField } from "./headers.ts";
export { charactersOf } from "./transfer.ts";
export { loader } from "./loader.ts";
