/**
 * Mail, and MIME within other formats.
 * @module
 */
export { bodyOf, parseMessage, type Part } from "./_mime.ts";
export { decodeField } from "./_headers.ts";
export { charactersOf } from "./_transfer.ts";
export { loader } from "./loader.ts";
