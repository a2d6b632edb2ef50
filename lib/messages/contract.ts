import type { Texts } from "./texts.ts";

/** Texts that the contract fixes. The Chinese ones must stay word for word. */
export const CONTRACT = {
  search_ok: { zh: "检索成功", en: "Search succeeded" },
  read_ok: { zh: "读取成功", en: "Read succeeded" },
  index_not_ready: {
    zh: "RAG数据库未就绪，请先处理目标目录构建数据库",
    en: "The RAG database is not ready: process the target directory first to build it",
  },
  no_match: { zh: "未检索到与关键词相关的内容", en: "Nothing found for these keywords" },
  file_not_found: {
    zh: "文件不存在，请检查路径是否正确",
    en: "The file does not exist: check the path",
  },
  not_text: { zh: "无法读取非纯文本文件", en: "Cannot read a file that is not plain text" },
  no_permission: {
    zh: "无文件读取权限，请检查权限设置",
    en: "No permission to read the file: check the permission settings",
  },
  directory_not_found: { zh: "目录不存在", en: "The directory does not exist" },
  not_a_directory: { zh: "路径不是有效目录", en: "The path is not a directory" },
  unsupported_encoding: { zh: "不支持的文件编码格式", en: "Unsupported file encoding" },
} satisfies Texts;
