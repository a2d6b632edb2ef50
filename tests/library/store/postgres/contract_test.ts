import { testMoved } from "../../ingest/_moved.ts";
import { testStore } from "../_contract.ts";
import { POSTGRES, SEGMENTS } from "../_databases.ts";
import { testLimited } from "../_limited.ts";

for (const store of [POSTGRES, SEGMENTS]) {
  testStore(...store);
  testLimited(store);
  testMoved(store);
}
