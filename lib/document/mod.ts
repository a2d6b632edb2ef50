/**
 * Texts and their outlines: one loader per format.
 * @module
 */
export { loadDocument } from "./load_document.ts";
export type { Document, Section } from "./types.ts";
