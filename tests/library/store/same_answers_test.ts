import { ShardedStore } from "#library/store/sharded/sharded_store.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { testQuestions, testSameAnswers } from "./_same_answers.ts";
import { ALL_STORES, databasesOf, inTwoDatabases, STORES } from "./_stores.ts";

const DATABASES = [
  "two databases",
  (root: string) => new ShardedStore(root, databasesOf(root), KEY),
  inTwoDatabases,
] as const;

for (const store of [...ALL_STORES, DATABASES]) testSameAnswers(store);
for (const store of STORES) testQuestions(store);
