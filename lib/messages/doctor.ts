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
