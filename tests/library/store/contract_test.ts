import { testStore } from "./_contract.ts";
import { ALL_STORES } from "./_stores.ts";
import { MemoryStore } from "./memory/memory_store.ts";

for (const [name, storeOf, around] of ALL_STORES) testStore(name, storeOf, around);

/** Another process would open the index that this one has written, so a root has one store in memory. */
const inMemory = new Map<string, MemoryStore>();
testStore("memory", (root) => {
  const store = inMemory.get(root) ?? new MemoryStore(root);
  inMemory.set(root, store);
  return store;
});
