import { databaseOf, type StoreSettings } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { usingPostgres } from "../../../_postgres.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { testStore } from "../_contract.ts";
import { testQuestions, testSameAnswers } from "../_same_answers.ts";

/** The schema that the test which runs has for itself. */
let settings: StoreSettings;

const storeOf = (root: string) => {
  const { schema } = settings;
  const place = { database: databaseOf(settings), schema, name: root, address: "", cacheBytes: 1 << 24 };
  return new PostgresStore(root, place, KEY);
};
const around = (test: () => Promise<void>) =>
  usingPostgres(async (_, given) => {
    settings = given;
    await test();
  });

testStore("PostgreSQL", storeOf, around);
testSameAnswers(["PostgreSQL", storeOf, around]);
testQuestions(["PostgreSQL", storeOf, around]);
