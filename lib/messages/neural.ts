import type { Texts } from "./texts.ts";

/** Texts about models that run in the program. */
export const NEURAL = {
  neural_no_model: {
    zh: "{path} 中没有模型（{missing}）。请运行 muxue_rag model install，或设置 embedding.local",
    en:
      "There is no model at {path} ({missing} is missing). Run: muxue_rag model install. Or set embedding.local to your own model",
  },
  neural_no_folder: {
    zh: "不知道本机模型的目录：没有主目录。请设置 MUXUE_RAG_MODELS_DIR 或 embedding.local",
    en:
      "The folder of local models is unknown: there is no home folder. Set MUXUE_RAG_MODELS_DIR or embedding.local",
  },
  neural_description_wrong: {
    zh: "{path} 无效：{problem}。请运行 muxue_rag model install 重新安装这个模型",
    en: "{path} is not valid: {problem}. Install the model again: muxue_rag model install",
  },
  neural_changed_file: {
    zh:
      "{path} 在程序启动后被替换，或者已损坏。请重新启动程序；如果仍然出现此提示，请恢复该文件，或运行 muxue_rag model install",
    en:
      "{path} was replaced since the program started, or is damaged. Start the program again. If this comes back, restore the file or run: muxue_rag model install",
  },
  neural_damaged_file: {
    zh: "{path} 已损坏：缺失，或大小不是安装时的大小。要修复，请运行：muxue_rag model install",
    en:
      "{path} is damaged: it is missing, or its size is not the installed one. To repair it, run: muxue_rag model install",
  },
  neural_tokenizer_invalid: {
    zh: "{path} 不是可用的 tokenizer.json：{problem}",
    en: "{path} is not a usable tokenizer.json: {problem}",
  },
  neural_model_invalid: {
    zh: "{path} 不是可用的 BERT 类 ONNX 模型：{problem}",
    en: "{path} is not a usable BERT-like ONNX model: {problem}",
  },
  neural_wrong_dimensions: {
    zh: "{path} 的向量为 {found} 维，应为 {expected} 维。请检查 embedding.local 中的 dimensions",
    en:
      "The vectors of {path} have {found} dimensions instead of {expected}. Check dimensions in embedding.local",
  },
  neural_not_numbers: {
    zh: "{path} 给出了无效的数（NaN、无穷大或全零）。请换用该模型的另一种量化",
    en: "{path} gives invalid numbers (NaN, infinity or all zeros). Use another quantization of the model",
  },
  neural_timeout: {
    zh: "{path} 在 {seconds} 秒内没有结果，已停用。请换用更小的模型，然后重新启动程序",
    en:
      "{path} gave no result within {seconds} s and is no longer used. Choose a smaller model and start the program again",
  },
  neural_stopped: {
    zh: "运行 {path} 的线程意外结束：{problem}",
    en: "The thread that runs {path} has ended unexpectedly: {problem}",
  },
} satisfies Texts;
