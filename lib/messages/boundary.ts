import type { Texts } from "./texts.ts";

/** Texts about folders that are refused, and files that cannot be read. */
export const BOUNDARY = {
  sensitive_directory: {
    zh:
      "拒绝处理敏感目录：{path}（属于 {place}）。如确实需要，请加上 --allow-sensitive，或把该目录写入配置项 files.allow_sensitive",
    en:
      "Refused: {path} is a sensitive folder (rule: {place}). If you do want to use it, add --allow-sensitive, or list it under files.allow_sensitive in the configuration",
  },
  log_dir_too_wide: {
    zh: "日志目录 {dir} 范围过大：程序将有权写入其中的所有内容。请把配置项 log.dir 设为专用目录",
    en:
      "The log folder {dir} is too broad: the program would be allowed to write to everything in it. Set log.dir in the configuration to a folder for logs only",
  },
  directory_unreadable: {
    zh: "无法读取目录 {path}：{error}。请检查磁盘、权限和系统限制",
    en: "Cannot read the folder {path}: {error}. Check the disk, the permissions and the system limits",
  },
  log_dir_sensitive: {
    zh:
      "日志目录 {dir} 位于 {place}，那里存放系统文件或密钥，程序不在其中写日志。请把配置项 log.dir 设为其他目录",
    en:
      "The log folder {dir} is inside {place}, which belongs to the system or contains keys, so no log is written there. Set log.dir in the configuration to another folder",
  },
  not_a_file: {
    zh: "{path} 不是普通文件。请指定文件，而不是目录或设备",
    en: "{path} is not a regular file. Name a file, not a folder or a device",
  },
  path_ambiguous: {
    zh: "多个目录中都有相对路径 {path}。请改用绝对路径",
    en: "The relative path {path} exists in several folders. Use the absolute path",
  },
  file_too_large: {
    zh: "文件过大：{size} MB，上限为 {limit} MB。可调高配置项 files.max_file_mb",
    en:
      "The file is too large: {size} MB; the limit is {limit} MB. To allow it, raise files.max_file_mb in the configuration",
  },
  file_unreadable: { zh: "无法读取文件：{error}", en: "Cannot read the file: {error}" },
} satisfies Texts;
