import type { Texts } from "./texts.ts";

/** Of indexing, backups and the data folder. */
export const INGEST = {
  data_folder_unsafe: {
    zh: "{path} 不是普通的文件夹或文件（可能是链接），为安全起见不使用它；请移走后重试",
    en:
      "{path} is not an ordinary folder or file (perhaps a link), so it is not used: move it away and try again",
  },
  data_folder_unwritable: {
    zh: "无法写入 {path}：{error}；请检查权限和磁盘",
    en: "Cannot write {path}: {error}. Check its permissions and the disk",
  },
  disk_full: {
    zh: "磁盘空间不足，无法写入 {path}；原有数据库保持不变",
    en: "No space left to write {path}; the database there is as it was",
  },
  index_busy: {
    zh: "另一个进程（{pid}）正在处理该目录：{path}；请等它结束后重试",
    en: "Another process ({pid}) is processing this directory: {path}. Try again when it is done",
  },
  no_file_locks: {
    zh:
      "{path} 所在的文件系统不支持文件锁（{error}），无法防止两个进程同时写入；请把该目录移到本地磁盘，或在挂载时启用文件锁",
    en:
      "The file system of {path} has no file locks ({error}), so two processes could write at the same time. Move the folder to a local disk, or mount it with locks",
  },
  index_too_large: {
    zh: "{path} 的内容太多，一个数据库装不下；请分成几个目录，或用 files.exclude 排除一部分",
    en: "{path} holds more than one database can: split it, or leave some of it out with files.exclude",
  },
  rebuild_damaged: {
    zh: "数据库已损坏（{problem}），需要重新构建",
    en: "The database is damaged ({problem}) and must be rebuilt",
  },
  rebuild_outdated: {
    zh: "数据库由其他版本生成（{problem}），需要重新构建",
    en: "The database was made by another version ({problem}) and must be rebuilt",
  },
  rebuild_moved: {
    zh: "数据库是为另一个目录建立的（{problem}），需要逐个核对文件内容；内容相同的部分继续使用",
    en:
      "The database was made for another directory ({problem}): every file must be compared with it by content; what is the same is kept",
  },
  rebuild_foreign: {
    zh:
      "数据库不是由本机的本程序建立的（{problem}），不可信，需要重新构建；如果它来自您的另一台机器，请先从那里复制状态目录中的 index.key",
    en:
      "The database was not made by this installation ({problem}), so it is not trusted and must be rebuilt. If it comes from another machine of yours, first copy index.key from the state folder there",
  },
  index_unreadable: {
    zh: "无法读取刚刚写入的数据库 {path}：{error}；请检查磁盘后重试",
    en: "The database {path} was written but cannot be read back: {error}. Check the disk and try again",
  },
  rebuild_settings: {
    zh: "分片、编码或语义向量的设置已改变，需要重新构建数据库",
    en: "The settings of chunking, encoding or embedding have changed: the database must be rebuilt",
  },
  backup_exists: {
    zh: "备份文件已存在：{path}；请换一个路径",
    en: "The backup file exists already: {path}. Choose another path",
  },
  backup_failed: { zh: "无法写入备份 {path}：{error}", en: "Cannot write the backup {path}: {error}" },
  backup_foreign: {
    zh:
      "{path} 不是由本机的本程序备份的，无法核对其中的内容，未恢复；如果它来自您的另一台机器，请把那里状态目录中的 index.key 复制为 {key}，再重试",
    en:
      "{path} was not made by this installation, so what is in it cannot be trusted, and it was not restored. If it comes from another machine of yours, copy index.key from the state folder there to {key} and try again",
  },
  backup_unreadable: {
    zh: "{path} 不是可用的备份：{error}",
    en: "{path} is not a usable backup: {error}",
  },
} satisfies Texts;
