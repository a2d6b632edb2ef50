import type { Texts } from "./texts.ts";

/** Of the command `eval`. */
export const EVAL_COMMAND = {
  cli_eval_no_data: {
    zh: "缺少评测数据。请给出 BEIR 格式的目录，或 JSONL 文件",
    en: "No test data given. Name a folder in BEIR layout, or a JSONL file",
  },
  cli_eval_data_missing: { zh: "评测数据不存在：{path}", en: "The test data does not exist: {path}" },
  cli_eval_needs_dir: {
    zh: "{path} 是针对某个目录的查询。请用 --dir 指定该目录",
    en: "{path} contains queries about a folder. Name the folder with --dir",
  },
  cli_eval_dir_unused: {
    zh: "--dir 只用于 JSONL 文件；BEIR 格式的目录自带文档",
    en: "--dir can only be used with a JSONL file; a folder in BEIR layout contains its own documents",
  },
  cli_eval_unknown_system: {
    zh: "--compare 中的 {name} 既不是配置文件，也不是以下之一：{systems}",
    en: "{name} in --compare is neither a configuration file nor one of: {systems}",
  },
  cli_eval_other_index: {
    zh: "{name} 的 {section} 一节与当前配置不同，需要另建索引。请用 --config {name} 单独评测",
    en:
      "The {section} section of {name} differs from the configuration in effect, so it needs another index. Evaluate it separately with --config {name}",
  },
  cli_eval_missing: {
    zh: "{name}：{count} 个相关文档不在索引中，只能算未找到：{documents}",
    en:
      "{name}: {count} relevant {count|document is|documents are} not in the index and {count|counts|count} as not found: {documents}",
  },
  cli_eval_all_missing: {
    zh: "{path} 中的相关文件都不在 {dir} 的索引中，如：{documents}",
    en: "No relevant file of {path} is in the index of {dir}: {documents}",
  },
  cli_eval_shortfall: {
    zh: "{collection}：{system} 的 {metric} 为 {reached}，低于 {value}",
    en: "{collection}: {metric} of {system} is {reached}, below {value}",
  },
  cli_eval_title: {
    zh: "{name}：{documents} 个文档，{queries} 个查询",
    en: "{name}: {documents} documents, {queries} queries",
  },
  cli_eval_interval: {
    zh: "方括号内为 95% 置信区间（自助法）",
    en: "in brackets: 95% confidence interval (bootstrap)",
  },
  cli_eval_system: { zh: "系统", en: "System" },
  cli_eval_less: { zh: "与 {name} 之差", en: "Less {name}" },
  cli_eval_significant: {
    zh: "* 差异显著：区间不含 0",
    en: "* significant: the interval does not contain 0",
  },
  cli_eval_milliseconds: { zh: "毫秒 均值", en: "ms mean" },
  cli_eval_median: { zh: "毫秒 p50", en: "ms p50" },
  cli_eval_index_seconds: { zh: "建索引 {seconds}（{system}）", en: "index built in {seconds} ({system})" },
  cli_eval_worst: { zh: "{name} 最差的查询", en: "Worst queries of {name}" },
  cli_eval_expected: { zh: "应为", en: "expected" },
  cli_eval_found: { zh: "结果", en: "found" },
  cli_eval_found_nothing: { zh: "无", en: "nothing" },
  cli_eval_step_write: { zh: "{name}：写出 {total} 个文档", en: "{name}: writing {total} documents" },
  cli_eval_step_index: { zh: "{name}：建立索引", en: "{name}: indexing" },
  cli_eval_step_query: { zh: "{name}：{system}，{total} 个查询", en: "{name}: {system}, {total} queries" },
  cli_eval_bar: { zh: "{name}：{step} {done}/{total}", en: "{name}: {step} {done}/{total}" },
  cli_eval_bar_write: { zh: "写出文档", en: "writing documents" },
} satisfies Texts;
