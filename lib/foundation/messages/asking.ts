import type { Texts } from "./texts.ts";

/** Texts about answers of language models to questions. */
export const ASKING = {
  ask_not_in_documents: [
    "这些文档中没有答案。",
    "The answer is not in these documents.",
  ],
  ask_link_removed: ["（链接已移除）", "(link removed)"],
  ask_empty_answer: [
    "模型没有给出回答。请换一种问法，或运行 muxue_rag doctor 检查模型",
    "The model gave no answer. Ask in other words, or check the model with: muxue_rag doctor",
  ],
} as const satisfies Texts;
