import type { Texts } from "./texts.ts";

/** Sentences in the answers of the MCP tools, their progress, and what is wrong with the arguments of a call. */
export const TOOL_ANSWERS = {
  file_left_out: {
    zh: "按忽略文件、配置或名称的规则，{path} 不在提供的范围内。要读取它，请修改规则",
    en:
      "An ignore file, the configuration or a rule about names leaves out {path}, so it is not read. To read it, change the rule",
  },
  document_not_indexed: {
    zh: "索引中没有 {path}。原因见文档列表",
    en: "{path} is not in the index. The list of documents has the reason",
  },
  no_vectors_made: {
    zh: "embedding.provider 为 none，不使用向量",
    en: "There are no vectors, because embedding.provider is none",
  },
  reembedded_summary: {
    zh: "{path}：已重新计算 {chunks} 个片段的向量（{models}）{refused}",
    en: "{path}: new vectors for {chunks} {chunks|passage|passages} ({models}){refused}",
  },
  reembedded_refused: {
    zh: "；模型拒绝了 {count} 个片段，只能按词检索",
    en: "; the model refused {count} {count|passage|passages}, found by words only",
  },
  read_progress: { zh: "{file}：已读取 {seconds} 秒", en: "{file}: reading for {seconds} s" },
  reembed_progress: { zh: "{path}：计算向量", en: "{path}: making vectors" },
  ingest_not_allowed: {
    zh:
      "此服务器不能写索引（以 --no-watch 启动，或 index.watch 为 false）。请运行 muxue_rag --dir 目录，或去掉该设置后重启服务器",
    en:
      "This server may not write indexes (--no-watch or index.watch: false). Run muxue_rag --dir FOLDER, or start the server without that setting",
  },
  too_many_updates: {
    zh: "等待更新的调用太多。请等其中一个完成后再试",
    en: "Too many calls wait for an update. Try again when one of them has been answered",
  },
  ingest_waiting: { zh: "{path}：等待更新", en: "{path}: waiting for the update" },
  ingest_progress_scan: { zh: "{path}：查找改动", en: "{path}: looking for changes" },
  ingest_progress_read: {
    zh: "{path}：第 {done} 个文件，共 {total} 个{file}",
    en: "{path}: {done} of {total} {total|file|files}{file}",
  },
  ingest_progress_write: { zh: "{path}：写入索引", en: "{path}: writing the index" },
  ingest_progress_done: { zh: "{path}：已更新", en: "{path}: up to date" },
  ingested_summary: {
    zh:
      "{path}：新增 {new} 个文件，改动 {changed} 个，移除 {removed} 个，失败 {failed} 个；共 {files} 个文件，{chunks} 个片段",
    en:
      "{path}: {new} new, {changed} changed, {removed} removed, {failed} failed; {files} {files|file|files}, {chunks} {chunks|chunk|chunks} in the index",
  },
  chunk_not_found: {
    zh: "没有 chunk_id 为 {chunk} 的片段，文件可能已有改动。请重新检索",
    en: "There is no passage with the chunk_id {chunk}; its file may have changed. Search again",
  },
  documents_none: { zh: "没有符合条件的文档", en: "No document matches" },
  documents_summary: { zh: "第 {from}-{to} 个文档，共 {total} 个", en: "Documents {from}-{to} of {total}" },
  document_page_total: { zh: "{count} 页", en: "{count} {count|page|pages}" },
  document_bytes: { zh: "{size} 字节", en: "{size} bytes" },
  document_chunks: { zh: "{count} 个片段", en: "{count} {count|chunk|chunks}" },
  document_failed: { zh: "未能读取", en: "not read" },
  document_skipped: { zh: "已跳过", en: "skipped" },
  document_summarised: {
    zh: "{path}（{size} 字节，修改于 {modified}{created}）",
    en: "{path} ({size} bytes, modified {modified}{created})",
  },
  document_created_by_file_system: { zh: "，创建于 {created}", en: ", created {created}" },
  document_created_by_document: {
    zh: "，文档自述创建于 {created}",
    en: ", created {created} by its own account",
  },
  document_tags: { zh: "关键词：{tags}", en: "Terms: {tags}" },
  document_chapters: { zh: "章节：{sections}", en: "Sections: {sections}" },
  chunk_context_summary: {
    zh: "{path}，第 {first}-{last} 个片段，共 {count} 个",
    en: "{path}, passages {first}-{last} of {count}",
  },
  chunk_context_cut: {
    zh: "[其余内容超出 max_tokens，未列出]",
    en: "[not all of it fits max_tokens]",
  },
  failed_summary: {
    zh: "{count} 个文件未能读取",
    en: "{count} {count|file|files} could not be read",
  },
  images_given: {
    zh: "随后附有图片，依次属于片段 {list}",
    en: "Images follow this text, for {count|passage|passages} {list}",
  },
  images_left_out: {
    zh: "另有 {count} 张图片未附上（最多 {most} 张、共 5 MB），可另行读取",
    en:
      "{count} more {count|image was|images were} left out (at most {most}, 5 MB together). Read their files to see them",
  },
  images_too_large: {
    zh: "{count} 张图片超过 2 MB，未附上，可另行读取",
    en: "{count} {count|image is|images are} larger than 2 MB and left out. Read their files to see them",
  },
  degrees_left_out: {
    zh: "有 {count} 个片段的匹配度低于 min_degree，未列出",
    en: "{count} {count|passage|passages} of a lower degree than min_degree {count|was|were} left out",
  },
  passages_trimmed: {
    zh: "为控制长度，{count} 个片段只给出匹配处的上下文（以 … 标明）。如需全文，请读取文件",
    en:
      "{count} {count|passage was|passages were} trimmed around the matching words (marked by …) to fit max_tokens. For the whole text, read the file",
  },
  passages_dropped: {
    zh: "另有 {count} 个片段超出 max_tokens，未列出",
    en: "{count} more {count|passage|passages} did not fit max_tokens",
  },
  notices_dropped: {
    zh: "另有 {count} 条提示超出 max_tokens，未列出",
    en: "{count} {count|notice|notices} did not fit max_tokens",
  },
  more_with_cursor: {
    zh: "[还有更多：以相同参数再次调用，并加上 cursor={cursor}]",
    en: "[more: call again with the same arguments and cursor={cursor}]",
  },
  cursor_unknown: {
    zh: "cursor 无效，或属于另一次检索。请用上次结果中的 next_cursor，其余参数保持不变，或省略 cursor",
    en:
      "The cursor is invalid or belongs to another search. Pass next_cursor of the last answer with the same other arguments, or leave it out",
  },
  arguments_ignored: {
    zh: "未知参数，已忽略：{names}。可用参数：{known}",
    en: "Unknown arguments were ignored: {names}. Known arguments: {known}",
  },
  bad_arguments: {
    zh: "参数错误：{problems}。可用参数：{known}",
    en: "Invalid arguments: {problems}. Known arguments: {known}",
  },
  argument_meant: {
    zh: "{name} 是未知参数（是否指 {known}？）",
    en: "{name} is unknown (did you mean {known}?)",
  },
  argument_missing: { zh: "{name} 必填", en: "{name} is required" },
  argument_wrong_type: { zh: "{name} 应为{expected}", en: "{name} must be {expected}" },
  argument_text: { zh: "文本", en: "text" },
  argument_number: { zh: "数", en: "a number" },
  argument_whole_number: { zh: "整数", en: "a whole number" },
  argument_boolean: { zh: " true 或 false", en: "true or false" },
  argument_list: { zh: "列表", en: "a list" },
  argument_object: { zh: "对象（名称: 值）", en: "an object (name: value)" },
  argument_empty: { zh: "{name} 不能为空", en: "{name} must not be empty" },
  argument_too_long: { zh: "{name} 最多 {limit} 个字符", en: "{name} must have at most {limit} characters" },
  argument_text_too_long: {
    zh: "{name} 最多 {limit} 个字符，现为 {found} 个",
    en: "{name} must have at most {limit} characters, found {found}",
  },
  argument_too_many: { zh: "{name} 最多 {limit} 项", en: "{name} must have at most {limit} items" },
  argument_too_small: { zh: "{name} 不能小于 {limit}", en: "{name} must be at least {limit}" },
  argument_too_big: { zh: "{name} 不能大于 {limit}", en: "{name} must be at most {limit}" },
  argument_not_one_of: { zh: "{name} 应为以下之一：{choices}", en: "{name} must be one of: {choices}" },
  argument_invalid: { zh: "{name} 的取值无效", en: "{name} has an invalid value" },
} satisfies Texts;
