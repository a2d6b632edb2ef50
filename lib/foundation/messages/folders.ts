/** Folders: those that a command works on, collections, refused and unreadable places, ignore files and strange file names. */
import type { Texts } from "./texts.ts";

export const FOLDERS = {
  // Texts about the folders that a command works on.
  cli_no_registered_dir: [
    "本机还没有建立过索引。要为当前目录建立索引，请运行 muxue_rag index{-c}；其他目录用 --dir 指定",
    "No folder has been indexed on this machine yet. To index the current folder, run muxue_rag index{-c}; name another with --dir",
  ],
  cli_outside: [
    "当前目录 {dir} 未建索引，因此使用本机已索引的全部目录（{count} 个）。要为它建立索引，请运行 muxue_rag index{-c}",
    "The current folder, {dir}, is not indexed, so this is about all folders that were indexed on this machine ({count}). To index it, run muxue_rag index{-c}",
  ],
  cli_inside_indexed: [
    "{dir} 属于已索引的目录 {root}，使用后者的索引",
    "{dir} is part of the indexed folder {root}, so the index of that folder is used",
  ],
  cli_second_index: [
    "{dir} 属于已索引的目录 {root}。将为它另建索引，今后在其中检索时使用此索引；要更新原有的索引，请运行 muxue_rag index {root!}{-c}",
    "{dir} is part of the indexed folder {root}. It gets a second index, and searches in it will use that one. To update the other index, run muxue_rag index {root!}{-c}",
  ],
  cli_confirm_second_index: [
    "{dir} 属于已索引的目录 {root}，其中的检索使用后者的索引（更新：muxue_rag index {root!}{-c}）。仍要另建索引吗？[y/N] ",
    "{dir} is part of the indexed folder {root}, and searches in it use the index of {root} (to update it: muxue_rag index {root!}{-c}). Build a second index? [y/N] ",
  ],
  cli_searched: ["检索了：{dirs}", "Searched: {dirs}"],
  cli_searched_many: ["检索了 {count} 个目录：{dirs} 等", "Searched {count} folders: {dirs} and {more} more"],
  cli_searched_here: ["（检索全部目录：--all）", " (all folders: --all)"],
  // Collections: their configuration, the folders that they stand for, and the tools for them.
  config_expect_collections: ["集合（名称: {path: 目录, …}）", "collections (name: {path: folder, …})"],
  config_expect_short_text: ["不超过 {max} 个字符的文本", "text of at most {max} characters"],
  config_collection_name: [
    "不能用作集合名称。名称由文字、数字、- 和 _ 组成，以文字或数字开头，至多 64 个字符，且不是 all",
    "cannot be the name of a collection. A name has letters, digits, - and _, begins with a letter or digit, has at most 64 characters, and is not all",
  ],
  config_collection_twice: [
    "与集合 {name} 重名（不区分大小写）",
    "has the same name as the collection {name} (upper and lower case count as the same)",
  ],
  config_too_many_collections: ["集合过多，至多 {limit} 个", "too many collections; the limit is {limit}"],
  config_collection_same_folder: [
    "与集合 {name} 的目录相同：{path}",
    "is the folder of the collection {name}, too: {path}",
  ],
  config_collection_nested: [
    "{place} 集合 {inner} 的目录在集合 {outer} 的目录之内，其中的文件会在两个集合中各索引一次。可在 collections.{outer}.files.exclude 中写上 {pattern}",
    "{place} The folder of the collection {inner} is inside that of {outer}, so its files are indexed in both. To leave them out of {outer}, add {pattern} to collections.{outer}.files.exclude",
  ],
  config_unnamed_collection: [
    "会打开 {path} 所在目录之外的目录（{value}）；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    "would open a folder outside of that of {path} ({value}), which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  ],
  cli_collection_same_folder: [
    "集合 {name} 与 {other} 经链接指向同一个目录 {path}。请在配置中删去其中一个",
    "The collections {name} and {other} are the same folder by way of a link: {path}. Remove one of them from the configuration",
  ],
  cli_collection_left_out: ["已跳过集合 {name}：{text}", "Skipped the collection {name}: {text}"],
  cli_dir_error_collections: [
    "{text}：{dir}。配置中的集合：{names}",
    "{text}: {dir}. The collections of the configuration: {names}",
  ],
  cli_collection_failed: [
    "集合 {name} 未能索引：{text}",
    "The collection {name} could not be indexed: {text}",
  ],
  cli_collections_absent: [
    "无法使用以下集合的目录，未索引：{names}",
    "The folders of these collections cannot be used and were not indexed: {names}",
  ],
  cli_setup_collections: [
    "没有 --dir：服务器将提供配置中的集合：{names}",
    "Without --dir, the server offers the collections of the configuration: {names}",
  ],
  cli_folder_of_collection: ["{root}（集合 {name}）", "{root} (collection {name})"],
  collection_unknown: [
    "没有名为 {name} 的集合或目录。现有的集合：{known}",
    "There is no collection or folder {name}. The collections are: {known}",
  ],
  collections_summary: ["{count} 个集合", "{count} {count|collection|collections}"],
  collection_line: [
    "{name}：{path}{state}{description}，{documents} 个文档，{chunks} 个片段，语言 {languages}，更新于 {updated}{newer}",
    "{name}: {path}{state}{description}, {documents} {documents|document|documents}, {chunks} {chunks|chunk|chunks}, languages {languages}, updated {updated}{newer}",
  ],
  collection_about: ["，{description}", ", {description}"],
  collection_missing: ["尚无索引", "no index yet"],
  collection_unusable: ["索引无法使用", "the index cannot be used"],
  collection_newer: ["，至少 {count} 个文件比索引新", ", at least {count} newer {count|file|files}"],
  arg_collection: ["集合名称或目录", "Collection name or folder"],
  arg_collections: [
    "集合名称或目录，逗号分隔，默认全部",
    "Collection names or folders, separated by commas; default: all",
  ],
  // Texts about folders that are refused, and files that cannot be read.
  sensitive_directory: [
    "拒绝处理敏感目录：{path}（属于 {place}）。如确实需要，请加上 --allow-sensitive，或把该目录写入配置项 files.allow_sensitive",
    "Refused: {path} is a sensitive folder (rule: {place}). If you do want to use it, add --allow-sensitive, or list it under files.allow_sensitive in the configuration",
  ],
  log_dir_too_wide: [
    "日志目录 {dir} 范围过大：程序将有权写入其中的所有内容。请把配置项 log.dir 设为专用目录",
    "The log folder {dir} is too broad: the program would be allowed to write to everything in it. Set log.dir in the configuration to a folder for logs only",
  ],
  directory_unreadable: [
    "无法读取目录 {path}：{error}。请检查磁盘、权限和系统限制",
    "Cannot read the folder {path}: {error}. Check the disk, the permissions and the system limits",
  ],
  log_dir_sensitive: [
    "日志目录 {dir} 位于 {place}，那里存放系统文件或密钥，程序不在其中写日志。请把配置项 log.dir 设为其他目录",
    "The log folder {dir} is inside {place}, which belongs to the system or contains keys, so no log is written there. Set log.dir in the configuration to another folder",
  ],
  not_a_file: [
    "{path} 不是普通文件。请指定文件，而不是目录或设备",
    "{path} is not a regular file. Name a file, not a folder or a device",
  ],
  path_ambiguous: [
    "多个目录中都有相对路径 {path}。请改用绝对路径",
    "The relative path {path} exists in several folders. Use the absolute path",
  ],
  file_too_large: [
    "文件过大：{size} MB，上限为 {limit} MB。可调高配置项 files.max_file_mb",
    "The file is too large: {size} MB; the limit is {limit} MB. To allow it, raise files.max_file_mb in the configuration",
  ],
  file_unreadable: ["无法读取文件：{error}", "Cannot read the file: {error}"],
  // Texts about ignore files, file names, and the list of indexed folders.
  ignore_file_not_a_file: [
    "{path} 应是写有忽略规则的文件，却是文件夹、管道或设备，因此它所在的文件夹不会被索引。请换成文本文件，或将其删除",
    "{path} should be a file with ignore rules but is a folder, a pipe or a device, so nothing in its folder is indexed. Replace it with a text file, or delete it",
  ],
  ignore_file_link: [
    "{path} 是链接，指向所索引的目录之外或不存在的位置，程序不会跟随，因此它所在的文件夹不会被索引。请换成普通文件，或将其删除",
    "{path} is a link that leads outside the indexed folder or to nothing. It is not followed, so nothing in its folder is indexed. Replace it with a regular file, or delete it",
  ],
  ignore_file_no_permission: [
    "没有权限读取 {path} 中的忽略规则，因此它所在的文件夹不会被索引。请允许读取该文件",
    "No permission to read the ignore rules in {path}, so nothing in its folder is indexed. Make the file readable",
  ],
  ignore_file_too_large: [
    "{path} 超过 {limit} MiB，未读取其中的忽略规则，因此它所在的文件夹不会被索引。请缩短该文件",
    "{path} is larger than {limit} MiB and was not read, so nothing in its folder is indexed. Shorten the file",
  ],
  ignore_file_not_text: [
    "{path} 不是文本，无法得知其中的忽略规则，因此它所在的文件夹不会被索引。请将它另存为 UTF-8",
    "{path} is not text, so its ignore rules are unknown and nothing in its folder is indexed. Save the file as UTF-8",
  ],
  ignore_file_unreadable: [
    "无法读取 {path} 中的忽略规则（{error}），因此它所在的文件夹不会被索引。请检查磁盘",
    "Cannot read the ignore rules in {path} ({error}), so nothing in its folder is indexed. Check the disk",
  ],
  removed_list_unusable: [
    "{path} 不是由路径组成的 JSON 列表，因此不知道哪些文件已从索引中移除。请改正该文件，或将其删除（其中的文件会重新进入索引）",
    "{path} is not a JSON list of paths, so the files that were taken out of the index are unknown. Correct it, or delete it: its files are then indexed again",
  ],
  removed_too_many: [
    "最多可逐个移除 {limit} 个文件。请改用 .muxueragignore 或配置项 files.exclude 排除整个文件夹",
    "At most {limit} files can be taken out one by one. Leave out whole folders in .muxueragignore or by files.exclude in the configuration",
  ],
  folder_too_deep: [
    "文件夹嵌套超过 {limit} 层，更深的内容不会被索引。请把它们移到较浅的位置",
    "Folders are nested more than {limit} levels deep here, and nothing below is indexed. Move it to a higher level",
  ],
  name_not_unicode: [
    "文件名不是有效的 UTF-8，无法打开（� 代表无法显示的字节）。请重命名",
    "The name is not valid UTF-8, so the file cannot be opened (� stands for bytes that cannot be shown). Rename it",
  ],
  registry_entry_damaged: [
    "已索引目录列表中的 {path} 已损坏，无法得知它对应哪个目录，因此跳过。请重新索引该目录（muxue_rag --dir 目录），或删除此文件",
    "{path}, an entry in the list of indexed folders, is damaged, so the folder it stands for was skipped. Index that folder again (muxue_rag --dir DIR), or delete the file",
  ],
  registry_folder_gone: [
    "已索引的目录 {dir} 已不存在，或已被链接取代，因此跳过。如不再需要，请删除 {entry}",
    "The indexed folder {dir} no longer exists, or a link has replaced it, so it was skipped. If you no longer need it, delete {entry}",
  ],
} satisfies Texts;
