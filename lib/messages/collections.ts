import type { Texts } from "./texts.ts";

/** Collections: their configuration, the folders that they stand for, and the tools for them. */
export const COLLECTIONS = {
  config_expect_collections: {
    zh: "集合（名称: {path: 目录, …}）",
    en: "collections (name: {path: folder, …})",
  },
  config_expect_short_text: {
    zh: "不超过 {max} 个字符的文本",
    en: "text of at most {max} characters",
  },
  config_collection_name: {
    zh: "不能用作集合名称。名称由文字、数字、- 和 _ 组成，以文字或数字开头，至多 64 个字符，且不是 all",
    en:
      "cannot be the name of a collection. A name has letters, digits, - and _, begins with a letter or digit, has at most 64 characters, and is not all",
  },
  config_collection_twice: {
    zh: "与集合 {name} 重名（不区分大小写）",
    en: "has the same name as the collection {name} (upper and lower case count as the same)",
  },
  config_too_many_collections: {
    zh: "集合过多，至多 {limit} 个",
    en: "too many collections; the limit is {limit}",
  },
  config_collection_same_folder: {
    zh: "与集合 {name} 的目录相同：{path}",
    en: "is the folder of the collection {name}, too: {path}",
  },
  config_collection_nested: {
    zh:
      "{place} 集合 {inner} 的目录在集合 {outer} 的目录之内，其中的文件会在两个集合中各索引一次。可在 collections.{outer}.files.exclude 中写上 {pattern}",
    en:
      "{place} The folder of the collection {inner} is inside that of {outer}, so its files are indexed in both. To leave them out of {outer}, add {pattern} to collections.{outer}.files.exclude",
  },
  config_unnamed_collection: {
    zh:
      "会打开 {path} 所在目录之外的目录（{value}）；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    en:
      "would open a folder outside of that of {path} ({value}), which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  },
  cli_collection_same_folder: {
    zh: "集合 {name} 与 {other} 经链接指向同一个目录 {path}。请在配置中删去其中一个",
    en:
      "The collections {name} and {other} are the same folder by way of a link: {path}. Remove one of them from the configuration",
  },
  cli_collection_left_out: {
    zh: "已跳过集合 {name}：{text}",
    en: "Skipped the collection {name}: {text}",
  },
  cli_dir_error_collections: {
    zh: "{text}：{dir}。配置中的集合：{names}",
    en: "{text}: {dir}. The collections of the configuration: {names}",
  },
  cli_collection_failed: {
    zh: "集合 {name} 未能索引：{text}",
    en: "The collection {name} could not be indexed: {text}",
  },
  cli_collections_absent: {
    zh: "无法使用以下集合的目录，未索引：{names}",
    en: "The folders of these collections cannot be used and were not indexed: {names}",
  },
  cli_setup_collections: {
    zh: "没有 --dir：服务器将提供配置中的集合：{names}",
    en: "Without --dir, the server offers the collections of the configuration: {names}",
  },
  mcp_folder_named: { zh: "{path}（集合 {name}）", en: "{path} (collection {name})" },
  mcp_folder_described: {
    zh: "{path}（集合 {name}：{description}）",
    en: "{path} (collection {name}: {description})",
  },
  cli_folder_of_collection: { zh: "{root}（集合 {name}）", en: "{root} (collection {name})" },
  collection_unknown: {
    zh: "没有名为 {name} 的集合或目录。现有的集合：{known}",
    en: "There is no collection or folder {name}. The collections are: {known}",
  },
  collections_summary: { zh: "{count} 个集合", en: "{count} {count|collection|collections}" },
  collection_line: {
    zh:
      "{name}：{path}{state}{description}，{documents} 个文档，{chunks} 个片段，语言 {languages}，更新于 {updated}{newer}",
    en:
      "{name}: {path}{state}{description}, {documents} {documents|document|documents}, {chunks} {chunks|chunk|chunks}, languages {languages}, updated {updated}{newer}",
  },
  collection_about: { zh: "，{description}", en: ", {description}" },
  collection_missing: { zh: "尚无索引", en: "no index yet" },
  collection_unusable: { zh: "索引无法使用", en: "the index cannot be used" },
  collection_newer: {
    zh: "，至少 {count} 个文件比索引新",
    en: ", at least {count} newer {count|file|files}",
  },
  arg_collection: { zh: "集合名称或目录", en: "Collection name or folder" },
  arg_collections: {
    zh: "集合名称或目录，可写多个，用逗号分隔；默认为全部",
    en: "Collection names or folders, separated by commas; default: all",
  },
} satisfies Texts;
