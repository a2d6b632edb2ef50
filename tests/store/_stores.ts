import { BlobStore } from "../../lib/store/blob/blob_store.ts";
import type { IndexStore } from "../../lib/store/mod.ts";
import { KEY } from "../index/_blob_forge.ts";

/** The stores of the program by name. `storeOf` takes the real path of a folder. */
export const STORES: readonly (readonly [name: string, storeOf: (root: string) => IndexStore])[] = [
  ["blob", (root) => new BlobStore(root, KEY)],
];
