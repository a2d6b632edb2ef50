import type { Texts } from "./texts.ts";

/** Texts about models that run in the program. */
export const NEURAL = {
  neural_no_model: {
    zh: "{path} 中没有模型（{missing}）。请运行 muxue_rag model install，或设置 embedding.local",
    en:
      "There is no model at {path} ({missing} is missing). Run: muxue_rag model install. Or set embedding.local to your own model",
  },
  neural_description_wrong: {
    zh: "{path} 无效：{problem}。请运行 muxue_rag model install 重新安装这个模型",
    en: "{path} is not valid: {problem}. Install the model again: muxue_rag model install",
  },
  neural_changed_file: {
    zh: "{path} 与安装时不同（已损坏或被替换）。请运行 muxue_rag model install 重新安装这个模型",
    en:
      "{path} is not the file that was installed: it is damaged or was replaced. Install the model again: muxue_rag model install",
  },
} satisfies Texts;
