/** Indexing: the data folder, locks and backups, the progress and the summary of a run, and the lines of `status`. */
import type { Texts } from "./texts.ts";

export const INDEXING = {
  // Texts about indexing, backups and the data folder.
  data_folder_unsafe: [
    "{path} 不是普通的文件夹或文件（可能是链接），为安全起见未使用。请移走后重试",
    "{path} is not a regular folder or file (it may be a link), so it is not used. Move it away and try again",
  ],
  data_entry_removed: [
    "{path} 不是普通文件（可能是链接或管道），未读取，已将其删除（不影响它指向的内容），并据目录内容更新了索引",
    "{path} was not a regular file (perhaps a link or a pipe), so it was removed without being read; its target is untouched, and the index was brought up to date from the folder",
  ],
  data_entry_moved: [
    "{path} 是一个非空文件夹，而这里应为文件；已改名为 {aside}，并据目录内容更新了索引。如不需要可将其删除",
    "{path} was a folder with content in the place of a file, so it was renamed to {aside}, and the index was brought up to date from the folder. Delete it if you do not need it",
  ],
  data_folder_unwritable: [
    "无法写入 {path}：{error}。请检查权限和磁盘",
    "Cannot write to {path}: {error}. Check the permissions and the disk",
  ],
  index_folder_unwritable: [
    "无法写入 {path}：{error}。请检查权限，或用 --index-dir 把索引保存在别处",
    "Cannot write to {path}: {error}. Check the permissions, or keep the index elsewhere with --index-dir",
  ],
  disk_full: [
    "磁盘空间不足，无法写入 {path}；原有索引保持不变。请腾出空间后重试",
    "The disk is full, so {path} could not be written; the existing index is unchanged. Free some space and try again",
  ],
  index_busy: [
    "另一个进程（{pid}）正在处理该目录：{path}。请等它结束后重试",
    "Another process ({pid}) is indexing this folder: {path}. Try again when it has finished",
  ],
  vectors_busy: [
    "另一个进程（{pid}）正在为该目录生成模型的向量：{path}。请等它结束后重试",
    "Another process ({pid}) is making the vectors of the model for this folder: {path}. Try again when it has finished",
  ],
  no_file_locks: [
    "{path} 所在的文件系统不支持文件锁（{error}），无法防止两个进程同时写入。请把该目录移到本地磁盘，或在挂载时启用文件锁",
    "The file system of {path} does not support file locks ({error}), so two processes could write at the same time. Move the folder to a local disk, or mount the file system with locks",
  ],
  index_too_large: [
    "{path} 的内容超出一个索引的容量。请拆成几个目录，或用 files.exclude 排除一部分",
    "{path} contains more than one index can hold. Split the folder, or exclude part of it with files.exclude",
  ],
  rebuild_damaged: [
    "索引已损坏（{problem}），需要重建",
    "The index is damaged ({problem}) and must be rebuilt",
  ],
  rebuild_outdated: [
    "索引由其他版本生成（{problem}），需要重建",
    "The index was made by another version ({problem}) and must be rebuilt",
  ],
  rebuild_moved: [
    "索引是为另一个目录建立的（{problem}），需要逐个核对文件内容；内容相同的部分继续使用",
    "The index was made for another folder ({problem}). Every file must be compared with it; content that is the same is kept",
  ],
  rebuild_foreign: [
    "索引不是由本机的本程序建立的（{problem}），不可信，需要重建。如果它来自您的另一台机器，请先从那里复制状态目录中的 index.key",
    "The index was not made by this installation ({problem}), so it is not trusted and must be rebuilt. If it comes from another machine of yours, first copy index.key from the state folder there",
  ],
  index_unreadable: [
    "索引 {path} 已写入，但无法读回：{error}。请检查磁盘后重试",
    "The index {path} was written but cannot be read back: {error}. Check the disk and try again",
  ],
  index_settings_differ: [
    "{path} 的索引是用另外的设置建立的（{values}），没有改动。请用建立它的配置（-c 文件），或用新设置重建：muxue_rag index {path!} --full{-c}",
    "The index of {path} was made with other settings ({values}) and is left as it is. Name the configuration that it was made with (-c FILE), or rebuild it: muxue_rag index {path!} --full{-c}",
  ],
  rebuild_settings: [
    "索引是用另外的设置建立的（{keys}），需要重建",
    "The index was made with another value of {keys}, so it must be rebuilt",
  ],
  rebuild_version: [
    "本版本程序的分片方式与建立索引时不同，需要重建索引",
    "The index was made by a version of the program that reads files differently, so it must be rebuilt",
  ],
  backup_exists: [
    "备份文件已存在：{path}。请换一个路径",
    "The backup file already exists: {path}. Choose another path",
  ],
  backup_failed: ["无法写入备份 {path}：{error}", "Cannot write the backup {path}: {error}"],
  backup_foreign: [
    "{path} 不是由本机的本程序备份的，无法核实其内容，因此未恢复。如果它来自您的另一台机器，请把那里状态目录中的 index.key 复制为 {key}，然后重试",
    "{path} was not made by this installation, so its contents cannot be trusted, and it was not restored. If it comes from another machine of yours, copy index.key from the state folder there to {key} and try again",
  ],
  backup_unreadable: [
    "{path} 不是备份文件，或已损坏、不完整（{error}）。请换一个备份",
    "{path} is not a backup, or it is damaged or incomplete ({error}). Use another backup",
  ],
  // Texts for the progress and the summary of a run, and for `status`.
  cli_step_scan: ["扫描目录 {dir}", "Scanning {dir}"],
  cli_step_scanning: ["扫描目录：{files} 个文件", "Scanning: {files} files"],
  cli_step_check: ["检查 {dir} 的索引", "Checking the index of {dir}"],
  cli_step_checking: ["检查索引：{chunks} 个分片", "Checking the index: {chunks} chunks"],
  cli_step_read: ["读取 {files} 个文件，{size}", "Reading {files} {files|file|files}, {size}"],
  cli_step_write: ["写入索引：{chunks} 个分片", "Writing the index: {chunks} {chunks|chunk|chunks}"],
  cli_bar: [
    "{bar} {percent}%  {done}/{total} 个文件  {bytesDone}/{bytesTotal}  {rate}/s  剩余 {left}",
    "{bar} {percent}%  {done}/{total} files  {bytesDone}/{bytesTotal}  {rate}/s  {left} left",
  ],
  cli_bar_vectors: [
    "{bar}  向量 {embedded}/{chunks}，{rate}/s",
    "{bar}  {embedded}/{chunks} vectors, {rate}/s",
  ],
  cli_bar_models: [
    "{bar} {percent} %  模型向量 {done}/{total}，{rate}/s，剩余 {left}",
    "{bar} {percent} %  {done}/{total} vectors of the model, {rate}/s, {left} left",
  ],
  cli_step_models: [
    "为 {dir} 生成模型的 {count} 个向量；在此期间可按关键词和内置词向量检索",
    "Making {count} {count|vector|vectors} of the model for {dir}; keywords and built-in word vectors can be searched meanwhile",
  ],
  cli_step_models_estimate: [
    "为 {dir} 生成本地模型的 {count} 个向量，估计需要 {left}；在此期间可按关键词和内置词向量检索",
    "Making {count} {count|vector|vectors} of the local models for {dir}: about {left}; keywords and built-in word vectors can be searched meanwhile",
  ],
  cli_vectors_made: ["  模型向量：{done}/{total}", "  Vectors of the model: {done} of {total}"],
  cli_vectors_refused: [
    "（{count} 段文字未能生成，按其他依据排序）",
    " ({count} {count|text was|texts were} refused by the model and {count|is|are} ranked without it)",
  ],
  cli_vectors_busy: [
    "另一个进程（{pid}）正在为该目录生成模型的向量：{path}。等待其让出",
    "Another process ({pid}) is making the vectors of the model for {path}. Waiting for it to hand over",
  ],
  cli_server_vectors_missing: [
    "{dir} 可以检索，但向量服务没有给出全部向量（{done}/{total}）：{text}。其余片段按关键词和内置词向量检索；服务恢复后，serve 会自动继续请求，也可以再次运行 muxue_rag index {dir!}{-c}",
    "{dir} can be searched, but the embedding server has not given all vectors ({done} of {total}): {text}. Until then, keywords and built-in word vectors are searched. When the server answers again, serve requests the rest, and so does: muxue_rag index {dir!}{-c}",
  ],
  cli_vectors_later: [
    "本地模型还缺 {count} 个向量，生成估计需要 {left}：由 serve 在后台进行；现在就全部生成：muxue_rag index {dir!} --wait{-c}。本地模型用于中文问题对中文、英文问题对英文；跨语言用内置词表",
    "The local models lack {count} {count|vector|vectors}, about {left} of work. The server makes them in the background; to make them now, run: muxue_rag index {dir!} --wait{-c}. Local models serve Chinese questions on Chinese texts and English questions on English texts; between the languages the built-in table is used",
  ],
  cli_summary_title: ["索引完成：{root}", "Indexed: {root}"],
  cli_summary_up_to_date: ["索引已是最新：{root}", "The index is up to date: {root}"],
  cli_rebuilt: ["全量重建：{reason}", "Rebuilt from scratch: {reason}"],
  cli_new: ["新增", "New"],
  cli_changed: ["修改", "Changed"],
  cli_renamed: ["改名", "Renamed"],
  cli_removed: ["删除", "Removed"],
  cli_unchanged: ["未变", "Unchanged"],
  cli_skipped: ["跳过", "Skipped"],
  cli_failed: ["失败", "Failed"],
  cli_files: ["文件", "Files"],
  cli_chunks: ["分片", "Chunks"],
  cli_terms: ["词项", "Terms"],
  cli_vectors: ["语义向量", "Vectors"],
  cli_neural: ["模型向量", "Model vectors"],
  cli_language_model: ["语言模型", "Language model"],
  cli_text_size: ["文本大小", "Text size"],
  cli_index_size: ["索引大小", "Index size"],
  cli_bytes_read: ["本次读取", "Read now"],
  cli_time: ["用时", "Time"],
  cli_state: ["状态", "State"],
  cli_state_ready: ["可用", "ready"],
  cli_state_missing: ["未建索引", "not indexed"],
  cli_state_outdated: ["版本不符，需重建", "made by another version, needs rebuilding"],
  cli_state_unusable: ["无法使用", "unusable"],
  cli_state_damaged: ["已损坏，需重建", "damaged, needs rebuilding"],
  cli_state_moved: ["为另一个目录建立，需核对", "made for another folder, needs comparing"],
  cli_state_foreign: ["不是由本机的本程序建立，需重建", "not made by this installation, needs rebuilding"],
  cli_detail: ["原因", "Reason"],
  cli_busy: ["正在更新", "Being updated"],
  cli_yes: ["是", "yes"],
  cli_indexed_at: ["索引时间", "Indexed at"],
  cli_stale: ["待更新", "To update"],
  cli_stale_none: ["无，已是最新", "nothing, up to date"],
  cli_stale_some: [
    "新增 {new}，修改 {changed}，删除 {removed}",
    "{new} new, {changed} changed, {removed} removed",
  ],
  cli_todo: ["处理", "To do"],
  cli_todo_build: ["建立索引：{command}", "build the index: {command}"],
  cli_todo_update: ["更新索引：{command}", "update the index: {command}"],
  cli_todo_settings: [
    "指定建立索引所用的配置（-c 文件），或重建索引：{command}",
    "name the configuration that it was made with (-c FILE), or rebuild the index: {command}",
  ],
  cli_todo_rebuild: ["重建索引：{command}", "rebuild the index: {command}"],
  cli_todo_full: [
    "检查列出的文件（必要时从备份恢复），然后全部重新读取：{command}",
    "check the files listed (restore them if need be), then read everything again: {command}",
  ],
  cli_column_state: ["状态", "State"],
  cli_column_format: ["格式", "Format"],
  cli_column_pages: ["页数", "Pages"],
  cli_column_chunks: ["分片", "Chunks"],
  cli_column_size: ["大小", "Size"],
  cli_column_modified: ["修改时间", "Modified"],
  cli_column_hash: ["SHA-256", "SHA-256"],
  cli_column_path: ["文件", "File"],
  cli_file_indexed: ["已索引", "indexed"],
  cli_file_skipped: ["跳过", "skipped"],
  cli_file_failed: ["失败", "failed"],
  cli_file_new: ["新增", "new"],
  cli_file_changed: ["已修改", "changed"],
  cli_file_removed: ["已删除", "removed"],
  cli_file_recognition_pending: ["文字待识别", "text recognition is still to be done"],
  cli_file_unrecognised: [
    "第 {pages} 页的文字没有识别出来：{text}（{time} 试过；下次 muxue_rag index 会再试一次）",
    "no text was recognised on page(s) {pages}: {text} (tried {time}; the next muxue_rag index tries once more)",
  ],
  cli_file_unrecognised_images: [
    "图片 {images} 的文字没有识别出来：{text}",
    "no text was recognised in {count|picture|pictures} {images}: {text}",
  ],
  cli_file_left_images: [
    "有 {count} 幅图片没有识别：每个文件最多识别 {limit} 幅、{pixels} 百万像素",
    "{count} {count|picture was|pictures were} not recognised: a file's limit is {limit} pictures and {pixels} million pixels",
  ],
  recognition_too_complex: ["识别用时或内存超过上限", "it took too much time or memory"],
  recognition_unreadable: [
    "图像已损坏、太大，或无法读取",
    "the picture is damaged, too large, or cannot be read",
  ],
  cli_files_indexed_at: ["索引时间 {time}", "Indexed at {time}"],
  cli_files_errors: ["最近的 {count} 个错误", "Last {count} {count|error|errors}"],
  cli_files_listed: ["共 {count} 个", "{count} {count|file|files}"],
  cli_and_more: ["另有 {count} 项", "and {count} more"],
  cli_see_files: ["全部文件及原因：{command}", "All files with their reasons: {command}"],
  cli_nothing_indexed: [
    "没有可以索引的文件，检索不会有任何结果",
    "No file could be indexed, so searches will find nothing",
  ],
  cli_weak_hits: [
    "另有 {count} 条匹配度低的结果（加 --full-text 列出）：{names}",
    "{count} weaker {count|hit|hits} (listed with --full-text): {names}",
  ],
  cli_only_weak: [
    "所有结果的匹配度都低，很可能不是答案",
    "All hits are weak: probably none of them is an answer",
  ],
  cli_path_with_line_break: [
    "文件名含换行，未列出（可用 --format json）：{path}",
    "This file name contains a line break and is left out (use --format json): {path}",
  ],
  cli_search_stats: [
    "{files} 个文件，{chunks} 个分片，{time}",
    "{files} {files|file|files}, {chunks} {chunks|chunk|chunks}, {time}",
  ],
} satisfies Texts;
