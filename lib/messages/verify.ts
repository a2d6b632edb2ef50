import type { Texts } from "./texts.ts";

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
