import type { Texts } from "./texts.ts";

/** Of the corpus and the boundary. */
export const BOUNDARY = {
  sensitive_directory: {
    zh:
      "拒绝处理敏感目录：{path}（属于 {place}）。如确实需要，请加上 --allow-sensitive，或把该目录写入配置项 files.allow_sensitive",
    en:
      "Refused, a sensitive directory: {path} (rule: {place}). If you do mean it, add --allow-sensitive, or list the directory under files.allow_sensitive in the configuration",
  },
  log_dir_too_wide: {
    zh: "日志目录 {dir} 范围过大：程序将获准写入其中的一切。请为配置项 log.dir 指定一个专用目录",
    en:
      "The log folder {dir} holds too much: the program would be allowed to write everything in it. Give log.dir a folder of its own in the configuration",
  },
  directory_unreadable: {
    zh: "无法读取目录 {path}：{error}；请检查磁盘、权限和系统限制",
    en: "Cannot read the directory {path}: {error}. Check the disk, the permissions and the limits",
  },
  log_dir_sensitive: {
    zh: "日志目录 {dir} 位于系统或密钥所在的位置 {place}，程序不在那里写日志。请为配置项 log.dir 另设目录",
    en:
      "The log folder {dir} lies in {place}, a place of the system or of keys, where the program writes no logs. Set another log.dir in the configuration",
  },
  not_a_file: {
    zh: "路径不是普通文件：{path}。请指定一个文件，而不是目录或设备",
    en: "Not a regular file: {path}. Name a file, not a directory or a device",
  },
  path_ambiguous: {
    zh: "多个目录中都有这个相对路径：{path}。请改用绝对路径",
    en: "Several of the directories hold this relative path: {path}. Use the absolute path",
  },
  file_too_large: {
    zh: "文件过大：{size} MB，上限为 {limit} MB。可调整配置项 files.max_file_mb",
    en:
      "The file is too large: {size} MB, the limit is {limit} MB. Raise files.max_file_mb in the configuration",
  },
  file_unreadable: {
    zh: "读取文件失败：{error}",
    en: "Reading the file failed: {error}",
  },
} satisfies Texts;
