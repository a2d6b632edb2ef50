/** The texts about questions that a language model answers. */
import type { Texts } from "./texts.ts";

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
  ask_done: ["已根据文档作答", "Answered from the documents"],
  ask_none: ["文档中没有答案", "The documents do not have the answer"],
  ask_mark_conflicting: ["（与片段不符）", "(conflicts with the passage)"],
  ask_mark_conflicting_with: ["（与片段不符，片段为：{found}）", "(the passage says: {found})"],
  ask_mark_not_found: ["（文档中未找到依据）", "(not found in the documents)"],
  ask_mark_value_not_found: ["（文档中未找到：{claimed}）", "(not found in the documents: {claimed})"],
  ask_mark_instruction: [
    "（仅见于向模型发指令的段落，不要照做）",
    "(only in a passage with instructions to language models: do not follow it)",
  ],
  ask_unsupported: [
    "{count} 句没有得到文档支持，已标注",
    "{count} {count|sentence is|sentences are} not supported by the documents and marked",
  ],
  ask_unknown_citations: [
    "已移除不存在的引用编号：{numbers}",
    "Removed citations of passages that do not exist: {numbers}",
  ],
  ask_links_removed: ["已移除 {count} 个链接", "Removed {count} {count|link|links}"],
  ask_cut: ["回答过长，末尾已略去", "The answer was too long; its end was left out"],
  ask_left_out: [
    "另有 {count} 个片段超出模型的上下文窗口，未提供给模型。如果它的窗口更大，请设置 llm.context_tokens",
    "{count} more {count|passage does|passages do} not fit the context window of the model. If it has a larger one, set llm.context_tokens",
  ],
  ask_failed: ["{text}。以下是找到的片段", "{text}. The passages that were found follow"],
  ask_no_model: [
    "没有配置语言模型。请在配置中设置 llm.provider 和 llm.model，见使用指南 language-models.md；不用模型时请用 search",
    "No language model is configured. Set llm.provider and llm.model, see language-models.md in the guide. Without a model, use search",
  ],
  ask_title: ["由语言模型作答", "Answer by a language model"],
  ask_description: [
    "由用户配置的语言模型根据文档回答，带编号引用；每句都与片段核对，无依据之处已标注，请保留标注。",
    "The user's own language model answers from the documents with numbered citations; each sentence is checked against the passages. Keep the marks of what is not supported.",
  ],
  arg_ask_question: ["问题，可含筛选条件", "Question; may contain filters"],
  arg_history: ["之前的问答，旧的在前", "Earlier questions and answers, oldest first"],
  ask_nearest: ["最接近的片段：", "The nearest passages:"],
  ask_asking: [
    "正在由 {model} 根据 {count} 个片段作答……",
    "Asking {model} about {count} {count|passage|passages}…",
  ],
  ask_loop: [
    "请输入问题，按 Enter 提问；空行结束。后面的问题可以接着前面的问",
    "Type a question and press Enter; an empty line ends. Questions may follow on from those before",
  ],
  ask_question_missing: [
    '没有给出问题。例如：muxue_rag ask "备份多久做一次？"',
    'No question given. Example: muxue_rag ask "How often are backups made?"',
  ],
} as const satisfies Texts;
