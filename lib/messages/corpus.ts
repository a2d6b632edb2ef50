import type { Texts } from "./texts.ts";

/** Of ignore files and of names, as a walk through a folder meets them, and of the list of indexed directories. */
export const CORPUS = {
  ignore_file_not_a_file: {
    zh:
      "{path} 不是文件（而是文件夹、管道或设备），无法读取其中的规则，因此其所在文件夹的内容均不索引。请换成文本文件，或将其删除",
    en:
      "{path} is a folder, a pipe or a device, not a file with rules, so nothing in the folder that holds it is indexed. Replace it with a text file, or remove it",
  },
  ignore_file_link: {
    zh:
      "{path} 是指向所索引目录之外、或不存在之处的链接，不会跟随，因此其所在文件夹的内容均不索引。请换成普通文件，或将其删除",
    en:
      "{path} is a link that leads out of the indexed directory, or nowhere, and is not followed, so nothing in the folder that holds it is indexed. Replace it with a file, or remove it",
  },
  ignore_file_no_permission: {
    zh: "没有读取 {path} 的权限，无法得知其中的规则，因此其所在文件夹的内容均不索引。请允许读取该文件",
    en:
      "No permission to read the rules in {path}, so nothing in the folder that holds it is indexed. Make the file readable",
  },
  ignore_file_too_large: {
    zh: "{path} 大于 {limit} MiB，不会读取其中的规则，因此其所在文件夹的内容均不索引。请缩短该文件",
    en:
      "{path} is larger than {limit} MiB and is not read, so nothing in the folder that holds it is indexed. Shorten the file",
  },
  ignore_file_not_text: {
    zh:
      "无法把 {path} 解读为文本，无法得知其中的规则，因此其所在文件夹的内容均不索引。请以 UTF-8 编码保存该文件",
    en:
      "{path} cannot be read as text, so nothing in the folder that holds it is indexed. Save the file as UTF-8",
  },
  ignore_file_unreadable: {
    zh:
      "无法读取 {path}（{error}），无法得知其中的规则，因此其所在文件夹的内容均不索引。请检查该文件所在的磁盘",
    en:
      "Reading the rules in {path} failed ({error}), so nothing in the folder that holds it is indexed. Check the disk that the file is on",
  },
  folder_too_deep: {
    zh: "文件夹嵌套超过 {limit} 层，更深的内容不索引。请把它们移到较浅的位置",
    en:
      "Folders are nested more than {limit} deep here, and what is below is not indexed. Move it further up",
  },
  name_not_unicode: {
    zh: "文件名不是有效的 UTF-8，无法打开；� 代表无法显示的字节。请重命名",
    en:
      "The name is not valid UTF-8, so it cannot be opened; � stands for the bytes that cannot be shown. Rename it",
  },
  registry_entry_damaged: {
    zh:
      "已索引目录列表中的 {path} 已损坏，无法得知它记录的是哪个目录，该目录已跳过。请重新索引该目录（muxue_rag --dir 目录），或删除此文件",
    en:
      "{path}, a file of the list of indexed directories, is damaged, so the directory it stood for is left out. Index that directory again (muxue_rag --dir DIRECTORY), or delete the file",
  },
  registry_folder_gone: {
    zh: "已索引的目录 {dir} 已不存在，或已被链接取代，因此跳过。如不再需要，请删除 {entry}",
    en:
      "The indexed directory {dir} is no longer there, or a link has taken its place, so it is left out. If you no longer need it, delete {entry}",
  },
} satisfies Texts;
