/** The commands that check something: `doctor` the installation, `verify` an index, `eval` the quality of a search. */
import type { Texts } from "./texts.ts";

/** Texts of the command `doctor`. */
export const DOCTOR = {
  cli_doctor_ok: ["一切正常", "No problems found"],
  cli_doctor_ok_empty: [
    "没有发现问题，但还没有已索引的目录。要为当前目录建立索引，请运行 muxue_rag index{-c}",
    "No problems found, but no folder is indexed yet. To index the current folder, run muxue_rag index{-c}",
  ],
  cli_doctor_problem: ["发现问题：{text}", "Problem found: {text}"],
  cli_doctor_problems: ["发现 {count} 个问题，见以上各项", "{count} problems found, listed above"],
  cli_doctor_provider_fails: ["向量来源不可用：{problem}", "the embedding provider does not work: {problem}"],
  cli_doctor_reranker_fails: ["重排不可用：{problem}", "the reranker does not work: {problem}"],
  cli_doctor_reranker: ["重排", "Reranker"],
  cli_doctor_reranking: ["重排检查", "Reranking"],
  cli_doctor_reranking_ok: ["可用，{time}", "works, {time}"],
  cli_doctor_runtime: ["运行时", "Runtime"],
  cli_doctor_names: ["名称", "Names"],
  cli_doctor_runtime_is: ["Deno {deno}", "Deno {deno}"],
  cli_doctor_runtime_other: [
    "Deno {deno}（程序为 {writtenFor} 编写）",
    "Deno {deno} (the program was written for {writtenFor})",
  ],
  cli_doctor_configuration: ["配置", "Configuration"],
  cli_doctor_provider: ["向量来源", "Embedding"],
  cli_doctor_address: ["地址", "Address"],
  cli_doctor_proxy: ["代理", "Proxy"],
  cli_doctor_model: ["模型", "Model"],
  cli_doctor_local_model: [
    "{language}：{name}（{id}），{dimensions} 维，加载和一句话共 {milliseconds} 毫秒",
    "{language}: {name} ({id}), {dimensions} dimensions, {milliseconds} ms to load it and embed a sentence",
  ],
  cli_doctor_no_models: [
    "没有可用的本地模型（见上面的提示）。安装：muxue_rag model install",
    "no local model can be used (see the note above). To install them, run: muxue_rag model install",
  ],
  cli_doctor_key: ["密钥", "Key"],
  cli_doctor_key_set: ["已设置", "set"],
  cli_doctor_key_not_set: ["未设置", "not set"],
  cli_doctor_vectors: ["向量", "Vectors"],
  cli_doctor_vectors_ok: ["{dimensions} 维，{time}", "{dimensions} dimensions, {time}"],
  cli_doctor_vectors_none: ["不使用，只按关键词检索", "none: keywords only"],
  cli_doctor_index: ["索引", "Index"],
  cli_doctor_index_ready: ["{dir}：可用，向量 {model}", "{dir}: ready, vectors of {model}"],
  cli_doctor_index_neural: [
    "{dir}：可用，向量 {model}；{names} 的向量 {done}/{total}",
    "{dir}: ready, vectors of {model}, and {done} of {total} of {names}",
  ],
  cli_doctor_index_settings: [
    "{dir}：设置已改变，需重建",
    "{dir}: made with other settings, needs rebuilding",
  ],
  cli_doctor_index_behind: [
    "{dir}：已过期（新增 {new}，修改 {changed}，删除 {removed}）",
    "{dir}: out of date ({new} new, {changed} changed, {removed} removed)",
  ],
  cli_doctor_index_keywords: ["{dir}：可用，没有向量", "{dir}: ready, without vectors"],
  cli_doctor_index_missing: ["{dir}：未建索引", "{dir}: not indexed"],
  cli_doctor_index_outdated: ["{dir}：版本不符，需重建", "{dir}: made by another version, needs rebuilding"],
  cli_doctor_index_damaged: ["{dir}：已损坏，需重建", "{dir}: damaged, needs rebuilding"],
  cli_doctor_index_moved: [
    "{dir}：为另一个目录建立，需核对",
    "{dir}: made for another folder, needs comparing",
  ],
  cli_doctor_index_foreign: [
    "{dir}：不是由本机的本程序建立，需重建",
    "{dir}: not made by this installation, needs rebuilding",
  ],
  cli_doctor_may_read: ["可读取", "May read"],
  cli_doctor_may_write: ["可写入", "May write"],
  cli_doctor_may_reach: ["可连接", "May connect to"],
  cli_doctor_own_files: ["可执行文件内含的数据", "the data inside the executable"],
  cli_doctor_may_nothing: ["无", "nothing"],
  cli_doctor_may_otherwise: ["此外", "Otherwise"],
  cli_doctor_may_reach_proxy: [
    "{proxy}（环境变量指定的代理）",
    "{proxy}, the proxy that the environment sets",
  ],
  cli_doctor_may_start: ["可启动", "May start"],
  cli_doctor_may_start_itself: [
    "程序自身，用于读取文档（仅限建立索引、search、serve、eval 和 extract）",
    "itself, to read documents (indexing, search, serve, eval and extract only)",
  ],
  cli_doctor_may_not: [
    "不能读取环境变量和系统信息，不能启动其他程序，不能调用本机库，不能从网络加载代码",
    "no environment variables, no system information, no other programs, no native libraries, no code from the network",
  ],
  cli_doctor_unlocked: ["进程未加锁", "the process is not locked"],
  cli_doctor_index_unusable: ["{dir}：无法使用", "{dir}: unusable"],
} satisfies Texts;

/** Texts of the command `verify`. */
export const VERIFY = {
  cli_verify_ok: ["没有发现问题", "No problems found"],
  cli_verify_problem: ["发现问题", "Problem found"],
  cli_verify_verdict: ["结论", "Verdict"],
  cli_verify_sound: ["完好，与目录一致", "sound, and up to date with the folder"],
  cli_verify_behind: ["完好，但目录中有更新的内容", "sound, but older than the folder"],
  cli_verify_differs: [
    "索引本身完好，但与文件内容不符",
    "the index itself is sound, but it does not agree with the files",
  ],
  cli_verify_missing: ["没有索引", "no index"],
  cli_verify_damaged: ["索引已损坏", "the index is damaged"],
  cli_verify_outdated: ["索引由其他版本生成", "the index was made by another version"],
  cli_verify_moved: ["索引是为另一个目录建立的", "the index was made for another folder"],
  cli_verify_foreign: ["索引不是由本机的本程序建立的", "the index was not made by this installation"],
  cli_verify_unusable: ["无法检查", "cannot be checked"],
  cli_verify_index: ["索引", "Index"],
  cli_verify_index_checked: [
    "{files} 个文件，{chunks} 个分片，{size}，全部检查",
    "{files} {files|file|files}, {chunks} {chunks|chunk|chunks}, {size}, all checked",
  ],
  cli_verify_folder: ["目录", "Folder"],
  cli_verify_folder_same: ["文件的大小和时间与索引一致", "sizes and times of the files are as indexed"],
  cli_verify_contents: ["内容", "Contents"],
  cli_verify_contents_same: [
    "{same} 个文件的内容与索引一致",
    "{same} {same|file has|files have} the indexed content",
  ],
  cli_verify_contents_differ: [
    "{same} 个文件的内容与索引一致，{count} 个不一致",
    "{same} {same|file has|files have} the indexed content, {count} {count|has|have} not",
  ],
  cli_verify_file_differs: [
    "大小和时间未变，但内容与索引不同",
    "same size and times, but other content than indexed",
  ],
} satisfies Texts;

/** Texts for the evaluation of search quality and the command `eval`. */
export const EVALUATE = {
  eval_not_beir: [
    "{path} 不是 BEIR 格式的目录：缺少 {file}",
    "{path} is not a folder in BEIR layout: {file} is missing",
  ],
  eval_unreadable: ["无法读取 {path}：{reason}", "Cannot read {path}: {reason}"],
  eval_not_json: ["{path}:{line} 不是有效的 JSON：{reason}", "{path}:{line} is not valid JSON: {reason}"],
  eval_bad_line: ["{path}:{line} 应为 {expected}", "{path}:{line} should be {expected}"],
  eval_twice: ["{path}:{line} 重复：{id}", "{path}:{line} is a duplicate: {id}"],
  eval_mixed: [
    "{path}:{line} files 与 spans 不能出现在同一个文件中。整个文件可写成不带行号的 spans",
    "{path}:{line} one file cannot contain both files and spans. For a whole file, write a span without lines",
  ],
  eval_no_queries: ["{path} 中没有带相关性标注的查询", "{path} has no queries with judgements"],
  eval_bad_min: [
    "--min 的值 {value} 无效。应为 [系统:]指标@K=值，如 ndcg@10=0.4；指标为 {metrics}，值在 0 到 1 之间",
    "Invalid value {value} for --min. Write [SYSTEM:]METRIC@K=VALUE, such as ndcg@10=0.4; the metrics are {metrics}, and the value is between 0 and 1",
  ],
  eval_min_system: [
    "--min 中的 {name} 不在比较之列，可选：{systems}",
    "{name} in --min is not one of the compared systems: {systems}",
  ],
  eval_min_depth: [
    "--min 要求 {metric}@{at}，但只取前 {k} 条。请用 --top-k {at}",
    "--min asks for {metric}@{at}, but only the first {k} hits are used. Use --top-k {at}",
  ],
  cli_eval_no_data: [
    "缺少评测数据。请给出 BEIR 格式的目录，或 JSONL 文件",
    "No test data given. Name a folder in BEIR layout, or a JSONL file",
  ],
  cli_eval_data_missing: ["评测数据不存在：{path}", "The test data does not exist: {path}"],
  cli_eval_needs_dir: [
    "{path} 是针对某个目录的查询。请用 --dir 指定该目录",
    "{path} contains queries about a folder. Name the folder with --dir",
  ],
  cli_eval_dir_unused: [
    "--dir 只用于 JSONL 文件；BEIR 格式的目录自带文档",
    "--dir can only be used with a JSONL file; a folder in BEIR layout contains its own documents",
  ],
  cli_eval_unknown_system: [
    "--compare 中的 {name} 既不是配置文件，也不是以下之一：{systems}",
    "{name} in --compare is neither a configuration file nor one of: {systems}",
  ],
  cli_eval_other_index: [
    "{name} 的 {section} 一节与当前配置不同，需要另建索引。请用 --config {name} 单独评测",
    "The {section} section of {name} differs from the configuration in effect, so it needs another index. Evaluate it separately with --config {name}",
  ],
  cli_eval_missing: [
    "{name}：{count} 个相关文档不在索引中，只能算未找到：{documents}",
    "{name}: {count} relevant {count|document is|documents are} not in the index and {count|counts|count} as not found: {documents}",
  ],
  cli_eval_all_missing: [
    "{path} 中的相关文件都不在 {dir} 的索引中，如：{documents}",
    "No relevant file of {path} is in the index of {dir}: {documents}",
  ],
  cli_eval_shortfall: [
    "{collection}：{system} 的 {metric} 为 {reached}，低于 {value}",
    "{collection}: {metric} of {system} is {reached}, below {value}",
  ],
  cli_eval_title: [
    "{name}：{documents} 个文档，{queries} 个查询",
    "{name}: {documents} documents, {queries} queries",
  ],
  cli_eval_interval: [
    "方括号内为 95% 置信区间（自助法）",
    "in brackets: 95% confidence interval (bootstrap)",
  ],
  cli_eval_system: ["系统", "System"],
  cli_eval_less: ["与 {name} 之差", "Less {name}"],
  cli_eval_significant: ["* 差异显著：区间不含 0", "* significant: the interval does not contain 0"],
  cli_eval_milliseconds: ["毫秒 均值", "ms mean"],
  cli_eval_median: ["毫秒 p50", "ms p50"],
  cli_eval_index_seconds: ["建索引 {seconds}（{system}）", "index built in {seconds} ({system})"],
  cli_eval_degrees: ["{name} 各匹配度中正确的结果", "Right hits of {name} by degree"],
  cli_eval_high: ["高", "high"],
  cli_eval_medium: ["中", "medium"],
  cli_eval_low: ["低", "low"],
  cli_eval_worst: ["{name} 最差的查询", "Worst queries of {name}"],
  cli_eval_expected: ["应为", "expected"],
  cli_eval_found: ["结果", "found"],
  cli_eval_found_nothing: ["无", "nothing"],
  cli_eval_step_write: ["{name}：写出 {total} 个文档", "{name}: writing {total} documents"],
  cli_eval_step_index: ["{name}：建立索引", "{name}: indexing"],
  cli_eval_step_vectors: [
    "{name}：生成本地模型的 {total} 个向量",
    "{name}: making {total} vectors of local models",
  ],
  cli_eval_step_query: ["{name}：{system}，{total} 个查询", "{name}: {system}, {total} queries"],
  cli_eval_bar: ["{name}：{step} {done}/{total}", "{name}: {step} {done}/{total}"],
  cli_eval_bar_write: ["写出文档", "writing documents"],
  cli_eval_bar_vectors: ["生成向量", "making vectors"],
} satisfies Texts;
