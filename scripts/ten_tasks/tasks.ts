import { revenue } from "./folder.ts";

/** A task of an assistant: its searches, and what the answers must hold together. */
export interface Task {
  readonly name: string;
  /** The questions, in this order. Each is one call of `search_rag`. */
  readonly searches: readonly string[];
  /** Everything that the answer needs. Each pattern must match within one passage or one line of the answers. */
  readonly needs: readonly RegExp[];
}

const BUDGET_MARCH = 3 * 1000;

/** The tasks on the guide and the mixed documents. */
export const TASKS: readonly Task[] = [
  {
    name: "a fact in the guide",
    searches: ["Which environment variable moves the folder of the program's state?"],
    needs: [/MUXUE_RAG_STATE_DIR/],
  },
  {
    name: "a row of a table in the guide",
    searches: ["default and meaning of mcp.max_read_chars"],
    needs: [/mcp\.max_read_chars[^\n]{0,20}200000/],
  },
  {
    name: "a row of a table with 112 rows",
    searches: ["Widget B 2024-01-18 revenue"],
    needs: [new RegExp(`2024-01-18[ ,|]+Widget B[ ,|].*${revenue(18, 1).replace(".", "\\.")}`), /revenue/],
  },
  {
    name: "a number in long minutes",
    searches: ["How much did the repair of the roof cost?"],
    needs: [/18,430 euros/],
  },
  {
    name: "a definition",
    searches: ["What does cross-docking mean?"],
    needs: [/loaded straight onto outgoing lorries/],
  },
  {
    name: "a comparison of two files",
    searches: ["notice period of the lease of 2022 and of 2023"],
    needs: [/notice period of three months/, /notice period of six months/],
  },
  {
    name: "an English question about a Chinese note",
    searches: ["How often should the coffee machine be descaled with vinegar?"],
    needs: [/每六周用白醋除垢/],
  },
  {
    name: "a name in a mail, and a rule on a web page",
    searches: ["Who approved the trip to Lisbon?", "Which permit do cars need for parking?"],
    needs: [/approved by Henrik Solberg/, /P-47/],
  },
  {
    name: "a row of a Chinese table",
    searches: ["3 月差旅费的预算是多少"],
    needs: [new RegExp(`3 月[ |]+差旅费[ |]+${BUDGET_MARCH}`), /预算（元）/],
  },
  {
    name: "an instruction in the guide, and a sentence of a talk",
    searches: ["How do I make a backup of an index?", "In whose kitchen did our first server run?"],
    needs: [/muxue_rag backup --dir/, /laptop in Maya's kitchen/],
  },
];
