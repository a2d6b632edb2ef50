/**
 * Several indexes as one with the numbers of an index written anew, and how they are written.
 * @module
 */
export { JoinedIndex, type JoinedPart, type PartChanges } from "./joined_index.ts";
export { type FileRange, inOrderOfPaths, type Place } from "./numbering.ts";
export { limited, type PartedIndex, partsOf, PartWriter, placeIn } from "./part_writer.ts";
