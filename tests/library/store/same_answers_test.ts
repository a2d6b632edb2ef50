import { testQuestions, testSameAnswers } from "./_same_answers.ts";
import { ALL_STORES, STORES } from "./_stores.ts";

for (const store of ALL_STORES) testSameAnswers(store);
for (const store of STORES) testQuestions(store);
