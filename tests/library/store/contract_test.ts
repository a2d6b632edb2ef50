import { testStore } from "./_contract.ts";
import { STORES } from "./_stores.ts";
import { MemoryStore } from "./memory/memory_store.ts";

for (const [name, storeOf] of STORES) testStore(name, storeOf);
testStore("memory", (root) => new MemoryStore(root));
