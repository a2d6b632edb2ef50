import type { Texts } from "./texts.ts";

/** Of measuring retrieval. */
export const EVALUATE = {
  eval_not_beir: {
    zh: "{path} 不是 BEIR 格式的目录：缺少 {file}",
    en: "{path} is not a folder in BEIR layout: {file} is missing",
  },
  eval_unreadable: { zh: "无法读取 {path}：{reason}", en: "Cannot read {path}: {reason}" },
  eval_not_json: {
    zh: "{path}:{line} 不是有效的 JSON：{reason}",
    en: "{path}:{line} is not valid JSON: {reason}",
  },
  eval_bad_line: { zh: "{path}:{line} 应为 {expected}", en: "{path}:{line} should be {expected}" },
  eval_twice: { zh: "{path}:{line} 重复：{id}", en: "{path}:{line} is a duplicate: {id}" },
  eval_mixed: {
    zh: "{path}:{line} files 与 spans 不能出现在同一个文件中。整个文件可写成不带行号的 spans",
    en:
      "{path}:{line} one file cannot contain both files and spans. For a whole file, write a span without lines",
  },
  eval_no_queries: { zh: "{path} 中没有带相关性标注的查询", en: "{path} has no queries with judgements" },
  eval_bad_min: {
    zh: "--min 的值 {value} 无效。应为 [系统:]指标@K=值，如 ndcg@10=0.4；指标为 {metrics}，值在 0 到 1 之间",
    en:
      "Invalid value {value} for --min. Write [SYSTEM:]METRIC@K=VALUE, such as ndcg@10=0.4; the metrics are {metrics}, and the value is between 0 and 1",
  },
  eval_min_system: {
    zh: "--min 中的 {name} 不在比较之列，可选：{systems}",
    en: "{name} in --min is not one of the compared systems: {systems}",
  },
  eval_min_depth: {
    zh: "--min 要求 {metric}@{at}，但只取前 {k} 条。请用 --top-k {at}",
    en: "--min asks for {metric}@{at}, but only the first {k} hits are used. Use --top-k {at}",
  },
} satisfies Texts;
