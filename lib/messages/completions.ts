import type { Texts } from "./texts.ts";

/** Texts of the command `completions`. */
export const COMPLETIONS = {
  cli_completions_comment: {
    zh: "muxue_rag 的补全。请写入 {line}",
    en: "Completions of muxue_rag. Add to {line}",
  },
  cli_completions_missing: {
    zh: "缺少终端的名称。用法：muxue_rag completions bash、zsh、fish 或 pwsh",
    en: "No shell given. Usage: muxue_rag completions bash, zsh, fish or pwsh",
  },
  cli_completions_unknown: {
    zh: "没有 {shell} 的补全，可用的有：{shells}",
    en: "There are no completions for {shell}. The shells are: {shells}",
  },
  cli_completions_unknown_suggest: {
    zh: "没有 {shell} 的补全，是否想用 {suggestion}？",
    en: "There are no completions for {shell}. Did you mean {suggestion}?",
  },
} satisfies Texts;
