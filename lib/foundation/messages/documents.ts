/** Documents: what a loader could not read, kinds of files and why they were skipped, and text recognition in scans. */
import type { Texts } from "./texts.ts";

/**
 * Texts about documents that a loader reads (PDF, Office, web pages and so on), and of the tools and the command that read
 * them.
 */
export const DOCUMENTS = {
  document_encrypted: [
    "{path} 受密码保护，无法读取。请另存一份不带密码的文件",
    "{path} is protected by a password and cannot be read. To have it indexed, save a copy without a password",
  ],
  document_damaged: [
    "{path} 已损坏或不完整（{error}）。请用原来的软件打开并重新保存",
    "{path} is damaged or incomplete ({error}). Open it in the program it was made with and save it again",
  ],
  document_unsupported: [
    "无法读取 {path} 的这种格式（{error}）。请另存为较新的格式",
    "{path} has a variant of its format that cannot be read ({error}). Save it in a newer format",
  ],
  document_too_complex: [
    "{path} 超出读取限制（{error}）。请拆分文件，或用 files.exclude 排除",
    "{path} exceeds the limits for reading ({error}). Split it, or exclude it with files.exclude",
  ],
  extractor_unavailable: [
    "无法启动读取文档的进程（{error}），因此未读取 {path}。请重新启动程序后再试",
    "The process that reads documents could not be started ({error}), so {path} was not read. Restart the program and try again",
  ],
  document_no_such_page: [
    "{path} 没有第 {page} 页（共 {pages} 页）",
    "{path} has no page {page}; it has {pages}",
  ],
  bad_page_range: [
    "{path}：页码范围“{pages}”无效，请写作 3-5 或 3",
    "{path}: the page range {pages} is not valid. Write 3-5, or 3",
  ],
  cli_help_cmd_extract: [
    "显示从文档（PDF、Office、网页等）中提取的文字",
    "print the text of documents (PDF, Office, web pages …) as it would be indexed",
  ],
  cli_help_arg_files: ["文档文件", "documents"],
  cli_help_page: ["只显示此页（从 1 开始）", "this page only, counted from 1"],
  cli_extract_no_file: [
    "缺少文件。用法：muxue_rag extract 文件…",
    "No file given. Usage: muxue_rag extract FILE...",
  ],
  cli_extract_empty_pages: [
    "{path}：第 {pages} 页没有文字（可能是扫描件）",
    "{path}: no text on {count|page|pages} {pages}, {count|which may be a scan|which may be scans}",
  ],
  document_no_such_section: [
    "{path} 中没有名为“{section}”的章节。请使用文档中的标题",
    '{path} has no section named "{section}". Use one of its headings',
  ],
  document_without_pages: ["{path} 不分页", "{path} has no pages"],
  read_document_instead: [
    "这是文档（{format}），请用 {read} 读取其文字",
    "This is a document ({format}). Read its text with {read}",
  ],
  raw_lines_differ: [
    "检索结果中此文件的行号是提取出的文字的行号，不是这里的行号",
    "Line numbers in search results refer to the extracted text of this file, not to these lines",
  ],
  raw_lines_read_with: ["。请用 {read} 按行读取", ". Read those lines with {read}"],
  document_summary: [
    "{message}：{path}（{format}，第 {start}-{end} 行，共 {total} 行{place}）",
    "{message}: {path} ({format}, lines {start}-{end} of {total}{place})",
  ],
  document_page: ["，第 {page} 页，共 {count} 页", ", page {page} of {count}"],
  document_pages: ["，第 {first}-{last} 页，共 {count} 页", ", pages {first}-{last} of {count}"],
  document_section: ["章节：{section}", "Section: {section}"],
  document_continues: [
    "[未完：从第 {line} 行继续，start_line={line}]",
    "[more: continue at line {line}, start_line={line}]",
  ],
  document_continues_inside: [
    "[未完：从第 {line} 行第 {column} 个字符继续，start_line={line}，start_column={column}]",
    "[more: continue inside line {line}, start_line={line}, start_column={column}]",
  ],
  documents_continue: ["[未完：继续读取 {path}]", "[more: continue with {path}]"],
  documents_too_long_together: [
    "未读取，因为前面的文件太长。请另行调用读取",
    "Not read, because the documents before it are too long. Read it in another call",
  ],
  documents_continue_inside: [
    "[未完：用 {read} 从第 {line} 行第 {column} 个字符继续，start_line={line}，start_column={column}]",
    "[more: continue inside line {line} with {read}, start_line={line}, start_column={column}]",
  ],
  document_empty_pages: [
    "第 {pages} 页没有文字，可能是扫描件",
    "No text on page(s) {pages}, which may be scans",
  ],
  document_outline: [
    "{message}：{path}（{format}，{total} 行{pages}，{count} 个章节）",
    "{message}: {path} ({format}, {total} lines{pages}, {count} {count|section|sections})",
  ],
  document_page_count: ["，{count} 页", ", {count} {count|page|pages}"],
  document_outline_part: ["第 {from}-{to} 个章节，共 {total} 个", "Sections {from}-{to} of {total}"],
  original_given: ["{message}：{path}（{type}，{size} 字节）", "{message}: {path} ({type}, {size} bytes)"],
  original_too_large: [
    "文件过大：{size} MB，上限为 {limit} MB。可调高配置项 mcp.original_mb",
    "The file is too large: {size} MB; the limit is {limit} MB. To allow it, raise mcp.original_mb in the configuration",
  ],
} satisfies Texts;

/** Kinds of files and reasons why they were not read, for counts, lists and notices. */
export const KINDS = {
  cli_skip_ignored: ["被忽略规则排除", "excluded by an ignore file"],
  cli_skip_excluded: ["被配置排除", "excluded by the configuration"],
  cli_skip_hidden: ["隐藏", "hidden"],
  cli_skip_own: ["本程序自己的文件", "{count|file|files} of this program"],
  cli_skip_link: ["链接", "{count|link|links}"],
  cli_skip_link_outside: ["指向目录外的链接", "{count|link|links} to outside the folder"],
  cli_skip_archive: ["压缩包", "{count|archive|archives}"],
  cli_skip_image: ["图片", "{count|image|images}"],
  cli_skip_audio: ["音频", "audio {count|file|files}"],
  cli_skip_video: ["视频", "{count|video|videos}"],
  cli_skip_encoded: [
    "编码数据（base64、十六进制）",
    "{count|file|files} of encoded data (base64, hexadecimal)",
  ],
  cli_skip_minified: ["压缩后的脚本或样式", "minified {count|script|scripts} or style {count|sheet|sheets}"],
  cli_skip_lock_file: ["依赖锁文件", "lock {count|file|files}"],
  cli_skip_source_map: ["source map", "source {count|map|maps}"],
  cli_skip_number_table: ["生成的数字表", "generated {count|table|tables} of numbers"],
  cli_skip_no_loader: ["不支持的文档格式", "in an unsupported format"],
  cli_skip_binary_type: ["非文本类型", "not text, by type"],
  cli_skip_binary_content: ["内容非文本", "not text, by content"],
  cli_skip_no_text: ["没有文字（扫描件）", "without text (scanned)"],
  cli_skip_too_large: ["超过大小上限", "over the size limit"],
  cli_skip_empty: ["空文件", "empty"],
  cli_skip_special: ["特殊文件", "special {count|file|files}"],
  list_comma: ["，", ", "],
  kind_skipped: ["{what} {count} 个", "{count} {what}"],
  kind_unread: ["{problem}的{what} {count} 个", "{count} {what} {problem}"],
  unread_no_text: ["没有文字（扫描）", "without text (scanned)"],
  unread_mostly_scanned: ["多数页没有文字", "without text on most pages"],
  unread_no_loader: ["格式不受支持", "in an unsupported format"],
  unread_too_large: ["超过大小上限", "over the size limit"],
  unread_document_encrypted: ["受密码保护", "protected by a password"],
  unread_document_damaged: ["已损坏或不完整", "damaged or incomplete"],
  unread_document_unsupported: ["格式无法读取", "in a variant that cannot be read"],
  unread_document_too_complex: ["超出读取限制", "beyond the limits for reading"],
  unread_extractor_unavailable: ["读取进程无法启动", "not read because the reading process did not start"],
  unread_no_permission: ["没有读取权限", "without permission to read"],
  unread_unsupported_encoding: ["编码不支持", "in an unsupported encoding"],
  unread_other: ["无法读取", "that could not be read"],
  format_image: ["图片", "{count|picture|pictures}"],
  format_pdf: ["PDF", "{count|PDF|PDFs}"],
  format_docx: ["Word 文档", "Word {count|document|documents}"],
  format_doc: ["Word 文档（旧格式）", "old Word {count|document|documents}"],
  format_pptx: ["PowerPoint 文稿", "PowerPoint {count|presentation|presentations}"],
  format_ppt: ["PowerPoint 文稿（旧格式）", "old PowerPoint {count|presentation|presentations}"],
  format_xlsx: ["Excel 工作簿", "Excel {count|workbook|workbooks}"],
  format_xls: ["Excel 工作簿（旧格式）", "old Excel {count|workbook|workbooks}"],
  format_odf: ["OpenDocument 文档", "OpenDocument {count|file|files}"],
  format_epub: ["电子书", "{count|e-book|e-books}"],
  format_msg: ["Outlook 邮件", "Outlook {count|message|messages}"],
  format_rtf: ["RTF 文档", "RTF {count|document|documents}"],
  format_html: ["网页", "web {count|page|pages}"],
  format_mhtml: ["存档网页", "web {count|archive|archives}"],
  format_jats: ["JATS 文章", "JATS {count|article|articles}"],
  format_docbook: ["DocBook 文档", "DocBook {count|document|documents}"],
  format_notebook: ["Jupyter 笔记本", "{count|notebook|notebooks}"],
  format_mail: ["邮件", "mail {count|file|files}"],
  format_subtitles: ["字幕", "subtitle {count|file|files}"],
  format_csv: ["表格", "{count|table|tables}"],
  format_code: ["源代码", "source {count|file|files}"],
  format_file: ["文件", "{count|file|files}"],
  pages_without_text: ["第 {pages} 页没有文字", "no text on {count|page|pages} {pages}"],
  many_pages_without_text: ["共 {of} 页，其中 {count} 页没有文字", "no text on {count} of {of} pages"],
  documents_unread: [
    "{count} 个文档未能读取：{kinds}。查看：{command}",
    "{count} {count|document was|documents were} not read: {kinds}. To list {count|it|them}, run {command}",
  ],
  documents_unread_partly: [
    "{count} 个文档未能读取，或只读到一部分：{kinds}。查看：{command}",
    "{count} {count|document was|documents were} not read, or only in part: {kinds}. To list {count|it|them}, run {command}",
  ],
  nothing_to_search: [
    "{path} 中没有可供检索的文件：{kinds}。查看：{command}",
    "{path} contains no file that can be searched: {kinds}. To list them, run {command}",
  ],
  nothing_indexed_below: [
    "{path} 中没有已索引的文件。查看其中的文件：{command}",
    "No file in {path} is indexed. To list the files there, run {command}",
  ],
  folder_is_empty: ["{path} 是空目录，没有可供检索的文件", "{path} is empty, so there is nothing to search"],
} satisfies Texts;

/** Texts about text recognition (OCR). */
export const RECOGNITION = {
  ocr_data_missing: [
    "文字识别已打开（files.ocr），但识别数据没有安装，{count} 个扫描件没有识别。请运行：muxue_rag model install ocr",
    "Text recognition is on (files.ocr), but its data is not installed. {count} {count|scan was|scans were} not recognised. Run: muxue_rag model install ocr",
  ],
  ocr_data_unusable: [
    "文字识别的数据无法使用（{error}）。请运行：muxue_rag model install ocr",
    "The data for text recognition cannot be used ({error}). Run: muxue_rag model install ocr",
  ],
  cli_bar_recognised: ["{bar}  识别 {pages} 页", "{bar}  {pages} {pages|page|pages} recognised"],
  cli_recognised: ["识别文字", "Recognised text"],
  cli_recognised_pages: ["{pages} 页", "{pages} {pages|page|pages}"],
  cli_recognised_pending: [
    "{pages} 页，{pending} 个文件待识别",
    "{pages} {pages|page|pages}, {pending} {pending|file|files} to do",
  ],
  hit_recognised: ["识别文字", "recognised text"],
  document_recognised_pages: [
    "第 {pages} 页的文字由图像识别而来，可能有错",
    "The text of page(s) {pages} was recognised in images and may contain errors",
  ],
  cli_serve_recognition_failed: [
    "目录 {dir} 的扫描件没有识别：{text}（检索照常进行，以后会自动重试）",
    "The scans in {dir} were not recognised: {text} (searches go on without them; it is tried again later)",
  ],
} satisfies Texts;
