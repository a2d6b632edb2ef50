import { testMoved } from "../../ingest/_moved.ts";
import { testStore } from "../_contract.ts";
import { POSTGRES, SEGMENTS, TWO_DATABASES } from "../_databases.ts";
import { testQuestions, testSameAnswers } from "../_same_answers.ts";

for (const store of [POSTGRES, SEGMENTS]) {
  testStore(...store);
  testMoved(store);
  testQuestions(store);
}
for (const store of [POSTGRES, SEGMENTS, TWO_DATABASES]) testSameAnswers(store);
