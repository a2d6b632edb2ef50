/**
 * The whole public face of the house, for tests, examples and use alone. The other houses import the rooms and files that they
 * need, so that a start loads no more. `README.md` explains the house.
 * @module
 */
export * from "#foundation/boundary/mod.ts";
export * from "#foundation/configuration/mod.ts";
export * from "./constants.ts";
export * from "./edit_distance.ts";
export * from "./errors.ts";
export * from "./log.ts";
export * from "#foundation/messages/mod.ts";
export * from "./open_addressing.ts";
export * from "./patterns.ts";
export * from "./present.ts";
export * from "./registry.ts";
export * from "./runtime.ts";
export * from "./simplified.ts";
export * from "./span.ts";
export * from "./text_offsets.ts";
export * from "./written_values.ts";
