import { testQuestions, testSameAnswers } from "../_same_answers.ts";
import { POSTGRES } from "../_databases.ts";

testSameAnswers(POSTGRES);
testQuestions(POSTGRES);
