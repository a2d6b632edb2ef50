/**
 * Texts that language models make for a collection: asked for once, checked, and kept.
 * @module
 */
export * from "./generator.ts";
export * from "./caption.ts";
