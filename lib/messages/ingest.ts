import type { Texts } from "./texts.ts";

/** Texts about indexing, backups and the data folder. */
export const INGEST = {
  data_folder_unsafe: {
    zh: "{path} 不是普通的文件夹或文件（可能是链接），为安全起见未使用。请移走后重试",
    en:
      "{path} is not a regular folder or file (it may be a link), so it is not used. Move it away and try again",
  },
  data_entry_removed: {
    zh:
      "{path} 不是普通文件（可能是链接或管道），未读取，已将其删除（不影响它指向的内容），并据目录内容更新了索引",
    en:
      "{path} was not a regular file (perhaps a link or a pipe), so it was removed without being read; its target is untouched, and the index was brought up to date from the folder",
  },
  data_entry_moved: {
    zh:
      "{path} 是一个非空文件夹，而这里应为文件；已改名为 {aside}，并据目录内容更新了索引。如不需要可将其删除",
    en:
      "{path} was a folder with content in the place of a file, so it was renamed to {aside}, and the index was brought up to date from the folder. Delete it if you do not need it",
  },
  data_folder_unwritable: {
    zh: "无法写入 {path}：{error}。请检查权限和磁盘",
    en: "Cannot write to {path}: {error}. Check the permissions and the disk",
  },
  index_folder_unwritable: {
    zh: "无法写入 {path}：{error}。请检查权限，或用 --index-dir 把索引保存在别处",
    en:
      "Cannot write to {path}: {error}. Check the permissions, or keep the index elsewhere with --index-dir",
  },
  disk_full: {
    zh: "磁盘空间不足，无法写入 {path}；原有索引保持不变。请腾出空间后重试",
    en:
      "The disk is full, so {path} could not be written; the existing index is unchanged. Free some space and try again",
  },
  index_busy: {
    zh: "另一个进程（{pid}）正在处理该目录：{path}。请等它结束后重试",
    en: "Another process ({pid}) is indexing this folder: {path}. Try again when it has finished",
  },
  vectors_busy: {
    zh: "另一个进程（{pid}）正在为该目录生成模型的向量：{path}。请等它结束后重试",
    en:
      "Another process ({pid}) is making the vectors of the model for this folder: {path}. Try again when it has finished",
  },
  no_file_locks: {
    zh:
      "{path} 所在的文件系统不支持文件锁（{error}），无法防止两个进程同时写入。请把该目录移到本地磁盘，或在挂载时启用文件锁",
    en:
      "The file system of {path} does not support file locks ({error}), so two processes could write at the same time. Move the folder to a local disk, or mount the file system with locks",
  },
  index_too_large: {
    zh: "{path} 的内容超出一个索引的容量。请拆成几个目录，或用 files.exclude 排除一部分",
    en:
      "{path} contains more than one index can hold. Split the folder, or exclude part of it with files.exclude",
  },
  rebuild_damaged: {
    zh: "索引已损坏（{problem}），需要重建",
    en: "The index is damaged ({problem}) and must be rebuilt",
  },
  rebuild_outdated: {
    zh: "索引由其他版本生成（{problem}），需要重建",
    en: "The index was made by another version ({problem}) and must be rebuilt",
  },
  rebuild_moved: {
    zh: "索引是为另一个目录建立的（{problem}），需要逐个核对文件内容；内容相同的部分继续使用",
    en:
      "The index was made for another folder ({problem}). Every file must be compared with it; content that is the same is kept",
  },
  rebuild_foreign: {
    zh:
      "索引不是由本机的本程序建立的（{problem}），不可信，需要重建。如果它来自您的另一台机器，请先从那里复制状态目录中的 index.key",
    en:
      "The index was not made by this installation ({problem}), so it is not trusted and must be rebuilt. If it comes from another machine of yours, first copy index.key from the state folder there",
  },
  index_unreadable: {
    zh: "索引 {path} 已写入，但无法读回：{error}。请检查磁盘后重试",
    en: "The index {path} was written but cannot be read back: {error}. Check the disk and try again",
  },
  index_settings_differ: {
    zh:
      "{path} 的索引是用另外的设置建立的（{values}），没有改动。请用建立它的配置（-c 文件），或用新设置重建：muxue_rag index {path!} --full{-c}",
    en:
      "The index of {path} was made with other settings ({values}) and is left as it is. Name the configuration that it was made with (-c FILE), or rebuild it: muxue_rag index {path!} --full{-c}",
  },
  rebuild_settings: {
    zh: "索引是用另外的设置建立的（{keys}），需要重建",
    en: "The index was made with another value of {keys}, so it must be rebuilt",
  },
  rebuild_version: {
    zh: "本版本程序的分片方式与建立索引时不同，需要重建索引",
    en: "The index was made by a version of the program that reads files differently, so it must be rebuilt",
  },
  backup_exists: {
    zh: "备份文件已存在：{path}。请换一个路径",
    en: "The backup file already exists: {path}. Choose another path",
  },
  backup_failed: { zh: "无法写入备份 {path}：{error}", en: "Cannot write the backup {path}: {error}" },
  backup_foreign: {
    zh:
      "{path} 不是由本机的本程序备份的，无法核实其内容，因此未恢复。如果它来自您的另一台机器，请把那里状态目录中的 index.key 复制为 {key}，然后重试",
    en:
      "{path} was not made by this installation, so its contents cannot be trusted, and it was not restored. If it comes from another machine of yours, copy index.key from the state folder there to {key} and try again",
  },
  backup_unreadable: {
    zh: "{path} 不是备份文件，或已损坏、不完整（{error}）。请换一个备份",
    en: "{path} is not a backup, or it is damaged or incomplete ({error}). Use another backup",
  },
} satisfies Texts;
