import type { Texts } from "./texts.ts";

/**
 * Texts about documents that a loader reads (PDF, Office, web pages and so on), and of the tools and the command that read
 * them.
 */
export const DOCUMENTS = {
  document_encrypted: {
    zh: "{path} 受密码保护，无法读取。请另存一份不带密码的文件",
    en:
      "{path} is protected by a password and cannot be read. To have it indexed, save a copy without a password",
  },
  document_damaged: {
    zh: "{path} 已损坏或不完整（{error}）。请用原来的软件打开并重新保存",
    en:
      "{path} is damaged or incomplete ({error}). Open it in the program it was made with and save it again",
  },
  document_unsupported: {
    zh: "无法读取 {path} 的这种格式（{error}）。请另存为较新的格式",
    en: "{path} has a variant of its format that cannot be read ({error}). Save it in a newer format",
  },
  document_too_complex: {
    zh: "{path} 超出读取限制（{error}）。请拆分文件，或用 files.exclude 排除",
    en: "{path} exceeds the limits for reading ({error}). Split it, or exclude it with files.exclude",
  },
  extractor_unavailable: {
    zh: "无法启动读取文档的进程（{error}），因此未读取 {path}。请重新启动程序后再试",
    en:
      "The process that reads documents could not be started ({error}), so {path} was not read. Restart the program and try again",
  },
  document_no_such_page: {
    zh: "{path} 没有第 {page} 页（共 {pages} 页）",
    en: "{path} has no page {page}; it has {pages}",
  },
  bad_page_range: {
    zh: "{path}：页码范围“{pages}”无效，请写作 3-5 或 3",
    en: "{path}: the page range {pages} is not valid. Write 3-5, or 3",
  },
  cli_help_cmd_extract: {
    zh: "显示从文档（PDF、Office、网页等）中提取的文字",
    en: "print the text of documents (PDF, Office, web pages …) as it would be indexed",
  },
  cli_help_arg_files: { zh: "文档文件", en: "documents" },
  cli_help_page: { zh: "只显示此页（从 1 开始）", en: "this page only, counted from 1" },
  cli_extract_no_file: {
    zh: "缺少文件。用法：muxue_rag extract 文件…",
    en: "No file given. Usage: muxue_rag extract FILE...",
  },
  cli_extract_empty_pages: {
    zh: "{path}：第 {pages} 页没有文字（可能是扫描件）",
    en: "{path}: no text on {count|page|pages} {pages}, {count|which may be a scan|which may be scans}",
  },
  document_no_such_section: {
    zh: "{path} 中没有名为“{section}”的章节。请使用文档中的标题",
    en: '{path} has no section named "{section}". Use one of its headings',
  },
  document_without_pages: { zh: "{path} 不分页", en: "{path} has no pages" },
  read_document_instead: {
    zh: "这是文档（{format}），请用 {read} 读取其文字",
    en: "This is a document ({format}). Read its text with {read}",
  },
  raw_lines_differ: {
    zh: "检索结果中此文件的行号是提取出的文字的行号，不是这里的行号",
    en: "Line numbers in search results refer to the extracted text of this file, not to these lines",
  },
  raw_lines_read_with: { zh: "。请用 {read} 按行读取", en: ". Read those lines with {read}" },
  document_summary: {
    zh: "{message}：{path}（{format}，第 {start}-{end} 行，共 {total} 行{place}）",
    en: "{message}: {path} ({format}, lines {start}-{end} of {total}{place})",
  },
  document_page: { zh: "，第 {page} 页，共 {count} 页", en: ", page {page} of {count}" },
  document_pages: { zh: "，第 {first}-{last} 页，共 {count} 页", en: ", pages {first}-{last} of {count}" },
  document_section: { zh: "章节：{section}", en: "Section: {section}" },
  document_continues: {
    zh: "[未完：从第 {line} 行继续，start_line={line}]",
    en: "[more: continue at line {line}, start_line={line}]",
  },
  document_continues_inside: {
    zh: "[未完：从第 {line} 行第 {column} 个字符继续，start_line={line}，start_column={column}]",
    en: "[more: continue inside line {line}, start_line={line}, start_column={column}]",
  },
  documents_continue: { zh: "[未完：继续读取 {path}]", en: "[more: continue with {path}]" },
  documents_too_long_together: {
    zh: "未读取，因为前面的文件太长。请另行调用读取",
    en: "Not read, because the documents before it are too long. Read it in another call",
  },
  documents_continue_inside: {
    zh: "[未完：用 {read} 从第 {line} 行第 {column} 个字符继续，start_line={line}，start_column={column}]",
    en: "[more: continue inside line {line} with {read}, start_line={line}, start_column={column}]",
  },
  document_empty_pages: {
    zh: "第 {pages} 页没有文字，可能是扫描件",
    en: "No text on page(s) {pages}, which may be scans",
  },
  document_outline: {
    zh: "{message}：{path}（{format}，{total} 行{pages}，{count} 个章节）",
    en: "{message}: {path} ({format}, {total} lines{pages}, {count} {count|section|sections})",
  },
  document_page_count: { zh: "，{count} 页", en: ", {count} {count|page|pages}" },
  document_outline_part: {
    zh: "第 {from}-{to} 个章节，共 {total} 个",
    en: "Sections {from}-{to} of {total}",
  },
  original_given: {
    zh: "{message}：{path}（{type}，{size} 字节）",
    en: "{message}: {path} ({type}, {size} bytes)",
  },
  original_too_large: {
    zh: "文件过大：{size} MB，上限为 {limit} MB。可调高配置项 mcp.original_mb",
    en:
      "The file is too large: {size} MB; the limit is {limit} MB. To allow it, raise mcp.original_mb in the configuration",
  },
} satisfies Texts;
