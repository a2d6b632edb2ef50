/**
 * The commands that check something: `doctor` the installation, `verify` an index,
 * `eval` the quality of a search.
 */
import type { Texts } from "./texts.ts";

/** Texts of the command `doctor`. */
export const DOCTOR = {
  cli_doctor_ok: { zh: "一切正常", en: "No problems found" },
  cli_doctor_ok_empty: {
    zh: "没有发现问题，但还没有已索引的目录。要为当前目录建立索引，请运行 muxue_rag index{-c}",
    en:
      "No problems found, but no folder is indexed yet. To index the current folder, run muxue_rag index{-c}",
  },
  cli_doctor_problem: { zh: "发现问题：{text}", en: "Problem found: {text}" },
  cli_doctor_problems: { zh: "发现 {count} 个问题，见以上各项", en: "{count} problems found, listed above" },
  cli_doctor_provider_fails: {
    zh: "向量来源不可用：{problem}",
    en: "the embedding provider does not work: {problem}",
  },
  cli_doctor_reranker_fails: { zh: "重排不可用：{problem}", en: "the reranker does not work: {problem}" },
  cli_doctor_reranker: { zh: "重排", en: "Reranker" },
  cli_doctor_reranking: { zh: "重排检查", en: "Reranking" },
  cli_doctor_reranking_ok: { zh: "可用，{time}", en: "works, {time}" },
  cli_doctor_runtime: { zh: "运行时", en: "Runtime" },
  cli_doctor_names: { zh: "名称", en: "Names" },
  cli_doctor_runtime_is: { zh: "Deno {deno}", en: "Deno {deno}" },
  cli_doctor_runtime_other: {
    zh: "Deno {deno}（程序为 {writtenFor} 编写）",
    en: "Deno {deno} (the program was written for {writtenFor})",
  },
  cli_doctor_configuration: { zh: "配置", en: "Configuration" },
  cli_doctor_provider: { zh: "向量来源", en: "Embedding" },
  cli_doctor_address: { zh: "地址", en: "Address" },
  cli_doctor_proxy: { zh: "代理", en: "Proxy" },
  cli_doctor_model: { zh: "模型", en: "Model" },
  cli_doctor_local_model: {
    zh: "{language}：{name}（{id}），{dimensions} 维，加载和一句话共 {milliseconds} 毫秒",
    en:
      "{language}: {name} ({id}), {dimensions} dimensions, {milliseconds} ms to load it and embed a sentence",
  },
  cli_doctor_no_models: {
    zh: "没有可用的本地模型（见上面的提示）。安装：muxue_rag model install",
    en: "no local model can be used (see the note above). To install them, run: muxue_rag model install",
  },
  cli_doctor_key: { zh: "密钥", en: "Key" },
  cli_doctor_key_set: { zh: "已设置", en: "set" },
  cli_doctor_key_not_set: { zh: "未设置", en: "not set" },
  cli_doctor_vectors: { zh: "向量", en: "Vectors" },
  cli_doctor_vectors_ok: { zh: "{dimensions} 维，{time}", en: "{dimensions} dimensions, {time}" },
  cli_doctor_vectors_none: { zh: "不使用，只按关键词检索", en: "none: keywords only" },
  cli_doctor_index: { zh: "索引", en: "Index" },
  cli_doctor_index_ready: { zh: "{dir}：可用，向量 {model}", en: "{dir}: ready, vectors of {model}" },
  cli_doctor_index_neural: {
    zh: "{dir}：可用，向量 {model}；{names} 的向量 {done}/{total}",
    en: "{dir}: ready, vectors of {model}, and {done} of {total} of {names}",
  },
  cli_doctor_index_settings: {
    zh: "{dir}：设置已改变，需重建",
    en: "{dir}: made with other settings, needs rebuilding",
  },
  cli_doctor_index_behind: {
    zh: "{dir}：已过期（新增 {new}，修改 {changed}，删除 {removed}）",
    en: "{dir}: out of date ({new} new, {changed} changed, {removed} removed)",
  },
  cli_doctor_index_keywords: { zh: "{dir}：可用，没有向量", en: "{dir}: ready, without vectors" },
  cli_doctor_index_missing: { zh: "{dir}：未建索引", en: "{dir}: not indexed" },
  cli_doctor_index_outdated: {
    zh: "{dir}：版本不符，需重建",
    en: "{dir}: made by another version, needs rebuilding",
  },
  cli_doctor_index_damaged: { zh: "{dir}：已损坏，需重建", en: "{dir}: damaged, needs rebuilding" },
  cli_doctor_index_moved: {
    zh: "{dir}：为另一个目录建立，需核对",
    en: "{dir}: made for another folder, needs comparing",
  },
  cli_doctor_index_foreign: {
    zh: "{dir}：不是由本机的本程序建立，需重建",
    en: "{dir}: not made by this installation, needs rebuilding",
  },
  cli_doctor_may_read: { zh: "可读取", en: "May read" },
  cli_doctor_may_write: { zh: "可写入", en: "May write" },
  cli_doctor_may_reach: { zh: "可连接", en: "May connect to" },
  cli_doctor_own_files: { zh: "可执行文件内含的数据", en: "the data inside the executable" },
  cli_doctor_may_nothing: { zh: "无", en: "nothing" },
  cli_doctor_may_otherwise: { zh: "此外", en: "Otherwise" },
  cli_doctor_may_reach_proxy: {
    zh: "{proxy}（环境变量指定的代理）",
    en: "{proxy}, the proxy that the environment sets",
  },
  cli_doctor_may_start: { zh: "可启动", en: "May start" },
  cli_doctor_may_start_itself: {
    zh: "程序自身，用于读取文档（仅限建立索引、search、serve、eval 和 extract）",
    en: "itself, to read documents (indexing, search, serve, eval and extract only)",
  },
  cli_doctor_may_not: {
    zh: "不能读取环境变量和系统信息，不能启动其他程序，不能调用本机库，不能从网络加载代码",
    en:
      "no environment variables, no system information, no other programs, no native libraries, no code from the network",
  },
  cli_doctor_unlocked: { zh: "进程未加锁", en: "the process is not locked" },
  cli_doctor_index_unusable: { zh: "{dir}：无法使用", en: "{dir}: unusable" },
} satisfies Texts;

/** Texts of the command `verify`. */
export const VERIFY = {
  cli_verify_ok: { zh: "没有发现问题", en: "No problems found" },
  cli_verify_problem: { zh: "发现问题", en: "Problem found" },
  cli_verify_verdict: { zh: "结论", en: "Verdict" },
  cli_verify_sound: {
    zh: "完好，与目录一致",
    en: "sound, and up to date with the folder",
  },
  cli_verify_behind: {
    zh: "完好，但目录中有更新的内容",
    en: "sound, but older than the folder",
  },
  cli_verify_differs: {
    zh: "索引本身完好，但与文件内容不符",
    en: "the index itself is sound, but it does not agree with the files",
  },
  cli_verify_missing: { zh: "没有索引", en: "no index" },
  cli_verify_damaged: { zh: "索引已损坏", en: "the index is damaged" },
  cli_verify_outdated: { zh: "索引由其他版本生成", en: "the index was made by another version" },
  cli_verify_moved: { zh: "索引是为另一个目录建立的", en: "the index was made for another folder" },
  cli_verify_foreign: {
    zh: "索引不是由本机的本程序建立的",
    en: "the index was not made by this installation",
  },
  cli_verify_unusable: { zh: "无法检查", en: "cannot be checked" },
  cli_verify_index: { zh: "索引", en: "Index" },
  cli_verify_index_checked: {
    zh: "{files} 个文件，{chunks} 个分片，{size}，全部检查",
    en: "{files} {files|file|files}, {chunks} {chunks|chunk|chunks}, {size}, all checked",
  },
  cli_verify_folder: { zh: "目录", en: "Folder" },
  cli_verify_folder_same: {
    zh: "文件的大小和时间与索引一致",
    en: "sizes and times of the files are as indexed",
  },
  cli_verify_contents: { zh: "内容", en: "Contents" },
  cli_verify_contents_same: {
    zh: "{same} 个文件的内容与索引一致",
    en: "{same} {same|file has|files have} the indexed content",
  },
  cli_verify_contents_differ: {
    zh: "{same} 个文件的内容与索引一致，{count} 个不一致",
    en: "{same} {same|file has|files have} the indexed content, {count} {count|has|have} not",
  },
  cli_verify_file_differs: {
    zh: "大小和时间未变，但内容与索引不同",
    en: "same size and times, but other content than indexed",
  },
} satisfies Texts;

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
