import type { Texts } from "./texts.ts";

/** Of documents that are read by a loader: PDF, Office, web pages and so on. */
export const DOCUMENTS = {
  document_encrypted: {
    zh: "{path} 受密码保护，无法读取；请另存一份不带密码的文件",
    en: "{path} is protected by a password. Save a copy without one to have it indexed",
  },
  document_damaged: {
    zh: "{path} 已损坏或不完整（{error}）；请用原来的软件打开并重新保存",
    en: "{path} is damaged or incomplete ({error}). Open it in its own program and save it again",
  },
  document_unsupported: {
    zh: "无法读取 {path} 的这种格式（{error}）；请另存为较新的格式",
    en: "{path} is of a variant that cannot be read ({error}). Save it in a newer format",
  },
  document_too_complex: {
    zh: "{path} 超出读取限制（{error}）；请拆分文件，或用 files.exclude 排除",
    en: "{path} exceeds the limits for reading ({error}). Split it, or leave it out with files.exclude",
  },
  extractor_unavailable: {
    zh: "无法启动读取文档的进程（{error}），{path} 未读取；请重新启动程序后再试",
    en:
      "The process that reads documents could not be started ({error}), so {path} was not read. Restart the program and try again",
  },
  document_no_such_page: {
    zh: "{path} 没有第 {page} 页（共 {pages} 页）",
    en: "{path} has no page {page}: it has {pages}",
  },
  cli_help_cmd_extract: {
    zh: "显示从文档（PDF、Office、网页等）中取出的文字",
    en: "print the text that would be indexed of documents (PDF, Office, web pages …)",
  },
  cli_help_arg_files: { zh: "文档文件", en: "documents" },
  cli_help_page: { zh: "只显示这一页（从 1 开始）", en: "this page only, counted from 1" },
  cli_extract_no_file: {
    zh: "缺少文件：muxue_rag extract 文件…",
    en: "The file is missing: muxue_rag extract FILE...",
  },
  cli_extract_empty_pages: {
    zh: "{path}：第 {pages} 页没有文字（可能是扫描件）",
    en: "{path}: no text on page(s) {pages}, which may be scans",
  },
  document_without_pages: { zh: "{path} 不分页", en: "{path} has no pages" },
} satisfies Texts;
