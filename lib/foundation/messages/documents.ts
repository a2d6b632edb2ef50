/**
 * Documents: what a loader could not read, kinds of files and why they were skipped,
 * text recognition in scans.
 */
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

/** Kinds of files and reasons why they were not read, for counts, lists and notices. */
export const KINDS = {
  cli_skip_ignored: { zh: "被忽略规则排除", en: "excluded by an ignore file" },
  cli_skip_excluded: { zh: "被配置排除", en: "excluded by the configuration" },
  cli_skip_hidden: { zh: "隐藏", en: "hidden" },
  cli_skip_own: { zh: "本程序自己的文件", en: "{count|file|files} of this program" },
  cli_skip_link: { zh: "链接", en: "{count|link|links}" },
  cli_skip_link_outside: { zh: "指向目录外的链接", en: "{count|link|links} to outside the folder" },
  cli_skip_archive: { zh: "压缩包", en: "{count|archive|archives}" },
  cli_skip_image: { zh: "图片", en: "{count|image|images}" },
  cli_skip_audio: { zh: "音频", en: "audio {count|file|files}" },
  cli_skip_video: { zh: "视频", en: "{count|video|videos}" },
  cli_skip_encoded: {
    zh: "编码数据（base64、十六进制）",
    en: "{count|file|files} of encoded data (base64, hexadecimal)",
  },
  cli_skip_minified: {
    zh: "压缩后的脚本或样式",
    en: "minified {count|script|scripts} or style {count|sheet|sheets}",
  },
  cli_skip_lock_file: { zh: "依赖锁文件", en: "lock {count|file|files}" },
  cli_skip_source_map: { zh: "source map", en: "source {count|map|maps}" },
  cli_skip_number_table: { zh: "生成的数字表", en: "generated {count|table|tables} of numbers" },
  cli_skip_no_loader: { zh: "不支持的文档格式", en: "in an unsupported format" },
  cli_skip_binary_type: { zh: "非文本类型", en: "not text, by type" },
  cli_skip_binary_content: { zh: "内容非文本", en: "not text, by content" },
  cli_skip_no_text: { zh: "没有文字（扫描件）", en: "without text (scanned)" },
  cli_skip_too_large: { zh: "超过大小上限", en: "over the size limit" },
  cli_skip_empty: { zh: "空文件", en: "empty" },
  cli_skip_special: { zh: "特殊文件", en: "special {count|file|files}" },
  list_comma: { zh: "，", en: ", " },
  kind_skipped: { zh: "{what} {count} 个", en: "{count} {what}" },
  kind_unread: { zh: "{problem}的{what} {count} 个", en: "{count} {what} {problem}" },
  unread_no_text: { zh: "没有文字（扫描）", en: "without text (scanned)" },
  unread_mostly_scanned: { zh: "多数页没有文字", en: "without text on most pages" },
  unread_no_loader: { zh: "格式不受支持", en: "in an unsupported format" },
  unread_too_large: { zh: "超过大小上限", en: "over the size limit" },
  unread_document_encrypted: { zh: "受密码保护", en: "protected by a password" },
  unread_document_damaged: { zh: "已损坏或不完整", en: "damaged or incomplete" },
  unread_document_unsupported: { zh: "格式无法读取", en: "in a variant that cannot be read" },
  unread_document_too_complex: { zh: "超出读取限制", en: "beyond the limits for reading" },
  unread_extractor_unavailable: {
    zh: "读取进程无法启动",
    en: "not read because the reading process did not start",
  },
  unread_no_permission: { zh: "没有读取权限", en: "without permission to read" },
  unread_unsupported_encoding: { zh: "编码不支持", en: "in an unsupported encoding" },
  unread_other: { zh: "无法读取", en: "that could not be read" },
  format_image: { zh: "图片", en: "{count|picture|pictures}" },
  format_pdf: { zh: "PDF", en: "{count|PDF|PDFs}" },
  format_docx: { zh: "Word 文档", en: "Word {count|document|documents}" },
  format_doc: { zh: "Word 文档（旧格式）", en: "old Word {count|document|documents}" },
  format_pptx: { zh: "PowerPoint 文稿", en: "PowerPoint {count|presentation|presentations}" },
  format_ppt: { zh: "PowerPoint 文稿（旧格式）", en: "old PowerPoint {count|presentation|presentations}" },
  format_xlsx: { zh: "Excel 工作簿", en: "Excel {count|workbook|workbooks}" },
  format_xls: { zh: "Excel 工作簿（旧格式）", en: "old Excel {count|workbook|workbooks}" },
  format_odf: { zh: "OpenDocument 文档", en: "OpenDocument {count|file|files}" },
  format_epub: { zh: "电子书", en: "{count|e-book|e-books}" },
  format_msg: { zh: "Outlook 邮件", en: "Outlook {count|message|messages}" },
  format_rtf: { zh: "RTF 文档", en: "RTF {count|document|documents}" },
  format_html: { zh: "网页", en: "web {count|page|pages}" },
  format_mhtml: { zh: "存档网页", en: "web {count|archive|archives}" },
  format_jats: { zh: "JATS 文章", en: "JATS {count|article|articles}" },
  format_docbook: { zh: "DocBook 文档", en: "DocBook {count|document|documents}" },
  format_notebook: { zh: "Jupyter 笔记本", en: "{count|notebook|notebooks}" },
  format_mail: { zh: "邮件", en: "mail {count|file|files}" },
  format_subtitles: { zh: "字幕", en: "subtitle {count|file|files}" },
  format_csv: { zh: "表格", en: "{count|table|tables}" },
  format_code: { zh: "源代码", en: "source {count|file|files}" },
  format_file: { zh: "文件", en: "{count|file|files}" },
  pages_without_text: { zh: "第 {pages} 页没有文字", en: "no text on {count|page|pages} {pages}" },
  many_pages_without_text: {
    zh: "共 {of} 页，其中 {count} 页没有文字",
    en: "no text on {count} of {of} pages",
  },
  documents_unread: {
    zh: "{count} 个文档未能读取：{kinds}。查看：{command}",
    en:
      "{count} {count|document was|documents were} not read: {kinds}. To list {count|it|them}, run {command}",
  },
  documents_unread_partly: {
    zh: "{count} 个文档未能读取，或只读到一部分：{kinds}。查看：{command}",
    en:
      "{count} {count|document was|documents were} not read, or only in part: {kinds}. To list {count|it|them}, run {command}",
  },
  nothing_to_search: {
    zh: "{path} 中没有可供检索的文件：{kinds}。查看：{command}",
    en: "{path} contains no file that can be searched: {kinds}. To list them, run {command}",
  },
  nothing_indexed_below: {
    zh: "{path} 中没有已索引的文件。查看其中的文件：{command}",
    en: "No file in {path} is indexed. To list the files there, run {command}",
  },
  folder_is_empty: {
    zh: "{path} 是空目录，没有可供检索的文件",
    en: "{path} is empty, so there is nothing to search",
  },
} satisfies Texts;

/** Texts about text recognition (OCR). */
export const RECOGNITION = {
  ocr_data_missing: {
    zh:
      "文字识别已打开（files.ocr），但识别数据没有安装，{count} 个扫描件没有识别。请运行：muxue_rag model install ocr",
    en:
      "Text recognition is on (files.ocr), but its data is not installed. {count} {count|scan was|scans were} not recognised. Run: muxue_rag model install ocr",
  },
  ocr_data_unusable: {
    zh: "文字识别的数据无法使用（{error}）。请运行：muxue_rag model install ocr",
    en: "The data for text recognition cannot be used ({error}). Run: muxue_rag model install ocr",
  },
  cli_bar_recognised: { zh: "{bar}  识别 {pages} 页", en: "{bar}  {pages} {pages|page|pages} recognised" },
  cli_recognised: { zh: "识别文字", en: "Recognised text" },
  cli_recognised_pages: { zh: "{pages} 页", en: "{pages} {pages|page|pages}" },
  cli_recognised_pending: {
    zh: "{pages} 页，{pending} 个文件待识别",
    en: "{pages} {pages|page|pages}, {pending} {pending|file|files} to do",
  },
  hit_recognised: { zh: "识别文字", en: "recognised text" },
  document_recognised_pages: {
    zh: "第 {pages} 页的文字由图像识别而来，可能有错",
    en: "The text of page(s) {pages} was recognised in images and may contain errors",
  },
  cli_serve_recognition_failed: {
    zh: "目录 {dir} 的扫描件没有识别：{text}（检索照常进行，以后会自动重试）",
    en:
      "The scans in {dir} were not recognised: {text} (searches go on without them; it is tried again later)",
  },
} satisfies Texts;
