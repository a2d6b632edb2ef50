import type { Texts } from "./texts.ts";

/** Texts for the evaluation of search quality and the command `eval`. */
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
  cli_eval_degrees: { zh: "{name} 各匹配度中正确的结果", en: "Right hits of {name} by degree" },
  cli_eval_high: { zh: "高", en: "high" },
  cli_eval_medium: { zh: "中", en: "medium" },
  cli_eval_low: { zh: "低", en: "low" },
  cli_eval_worst: { zh: "{name} 最差的查询", en: "Worst queries of {name}" },
  cli_eval_expected: { zh: "应为", en: "expected" },
  cli_eval_found: { zh: "结果", en: "found" },
  cli_eval_found_nothing: { zh: "无", en: "nothing" },
  cli_eval_step_write: { zh: "{name}：写出 {total} 个文档", en: "{name}: writing {total} documents" },
  cli_eval_step_index: { zh: "{name}：建立索引", en: "{name}: indexing" },
  cli_eval_step_vectors: {
    zh: "{name}：生成本地模型的 {total} 个向量",
    en: "{name}: making {total} vectors of local models",
  },
  cli_eval_step_query: { zh: "{name}：{system}，{total} 个查询", en: "{name}: {system}, {total} queries" },
  cli_eval_bar: { zh: "{name}：{step} {done}/{total}", en: "{name}: {step} {done}/{total}" },
  cli_eval_bar_write: { zh: "写出文档", en: "writing documents" },
  cli_eval_bar_vectors: { zh: "生成向量", en: "making vectors" },
} satisfies Texts;
