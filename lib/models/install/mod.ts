/**
 * The models that the user can install: a catalogue with digests, downloads from several sources, and the folders of
 * installed models. Nothing here is run unless the user asks for it.
 * @module
 */
export * from "./catalogue.ts";
export { readPage } from "./download.ts";
export * from "./install.ts";
export { type InstalledFrom, installFrom } from "./install_from.ts";
export { lockModels, MODEL_LOCK, ModelPlace, SourceFailure } from "./model_location.ts";
export * from "./state.ts";
