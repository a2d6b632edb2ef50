import { BlobStore } from "../../lib/store/blob/blob_store.ts";
import { KEY } from "../index/_blob_forge.ts";
import { testStore } from "./_contract.ts";
import { MemoryStore } from "./memory/memory_store.ts";

testStore("blob", (root) => new BlobStore(root, KEY));
testStore("memory", (root) => new MemoryStore(root));
