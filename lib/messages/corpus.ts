import type { Texts } from "./texts.ts";

/** Texts about ignore files, file names, and the list of indexed folders. */
export const CORPUS = {
  ignore_file_not_a_file: {
    zh:
      "{path} 应是写有忽略规则的文件，却是文件夹、管道或设备，因此它所在的文件夹不会被索引。请换成文本文件，或将其删除",
    en:
      "{path} should be a file with ignore rules but is a folder, a pipe or a device, so nothing in its folder is indexed. Replace it with a text file, or delete it",
  },
  ignore_file_link: {
    zh:
      "{path} 是链接，指向所索引的目录之外或不存在的位置，程序不会跟随，因此它所在的文件夹不会被索引。请换成普通文件，或将其删除",
    en:
      "{path} is a link that leads outside the indexed folder or to nothing. It is not followed, so nothing in its folder is indexed. Replace it with a regular file, or delete it",
  },
  ignore_file_no_permission: {
    zh: "没有权限读取 {path} 中的忽略规则，因此它所在的文件夹不会被索引。请允许读取该文件",
    en:
      "No permission to read the ignore rules in {path}, so nothing in its folder is indexed. Make the file readable",
  },
  ignore_file_too_large: {
    zh: "{path} 超过 {limit} MiB，未读取其中的忽略规则，因此它所在的文件夹不会被索引。请缩短该文件",
    en:
      "{path} is larger than {limit} MiB and was not read, so nothing in its folder is indexed. Shorten the file",
  },
  ignore_file_not_text: {
    zh: "{path} 不是文本，无法得知其中的忽略规则，因此它所在的文件夹不会被索引。请将它另存为 UTF-8",
    en:
      "{path} is not text, so its ignore rules are unknown and nothing in its folder is indexed. Save the file as UTF-8",
  },
  ignore_file_unreadable: {
    zh: "无法读取 {path} 中的忽略规则（{error}），因此它所在的文件夹不会被索引。请检查磁盘",
    en:
      "Cannot read the ignore rules in {path} ({error}), so nothing in its folder is indexed. Check the disk",
  },
  folder_too_deep: {
    zh: "文件夹嵌套超过 {limit} 层，更深的内容不会被索引。请把它们移到较浅的位置",
    en:
      "Folders are nested more than {limit} levels deep here, and nothing below is indexed. Move it to a higher level",
  },
  name_not_unicode: {
    zh: "文件名不是有效的 UTF-8，无法打开（� 代表无法显示的字节）。请重命名",
    en:
      "The name is not valid UTF-8, so the file cannot be opened (� stands for bytes that cannot be shown). Rename it",
  },
  registry_entry_damaged: {
    zh:
      "已索引目录列表中的 {path} 已损坏，无法得知它对应哪个目录，因此跳过。请重新索引该目录（muxue_rag --dir 目录），或删除此文件",
    en:
      "{path}, an entry in the list of indexed folders, is damaged, so the folder it stands for was skipped. Index that folder again (muxue_rag --dir DIR), or delete the file",
  },
  registry_folder_gone: {
    zh: "已索引的目录 {dir} 已不存在，或已被链接取代，因此跳过。如不再需要，请删除 {entry}",
    en:
      "The indexed folder {dir} no longer exists, or a link has replaced it, so it was skipped. If you no longer need it, delete {entry}",
  },
} satisfies Texts;
