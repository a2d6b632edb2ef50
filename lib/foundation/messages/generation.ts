/** What is sent to language models: prompts, consent, budgets, estimates, and how much is missing. */
import type { Texts } from "./texts.ts";

export const GENERATION = {
  llm_prompt_unreadable: ["无法读取提示词 {path}：{error}", "The prompt {path} cannot be read: {error}"],
  llm_prompt_wrong: [
    "提示词 {path} 第 {line} 行：此处应有“{expected}”",
    "The prompt {path}, line {line}: “{expected}” is expected",
  ],
  llm_prompt_placeholder: [
    "提示词 {path} 第 {line} 行：没有占位符 {name}。可用的有：{names}",
    "The prompt {path}, line {line}: there is no placeholder {name}. There are: {names}",
  ],
  llm_failed: ["语言模型的请求失败", "The request to the language model failed"],
  llm_not_grounded: [
    "语言模型的结果没有依据，已弃用",
    "The result of the language model is not supported by its source and was rejected",
  ],
  llm_budget_run: [
    "本次运行的额度（llm.budget.run_tokens：{limit} 个 token）已用完。缺少的内容由下次运行补上",
    "The budget of this run (llm.budget.run_tokens: {limit} tokens) is used up. The next run goes on",
  ],
  llm_budget_day: [
    "今天的额度（llm.budget.day_tokens：{limit} 个 token）已用完。明天再运行，或调高该设置",
    "The budget of today (llm.budget.day_tokens: {limit} tokens) is used up. Run again tomorrow, or raise the setting",
  ],
} satisfies Texts;
