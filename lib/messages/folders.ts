import type { Texts } from "./texts.ts";

/** Texts about the folders that a command works on. */
export const FOLDERS = {
  cli_no_registered_dir: {
    zh: "本机还没有建立过索引。要为当前目录建立索引，请运行 muxue_rag index{-c}；其他目录用 --dir 指定",
    en:
      "No folder has been indexed on this machine yet. To index the current folder, run muxue_rag index{-c}; name another with --dir",
  },
  cli_outside: {
    zh:
      "当前目录 {dir} 未建索引，因此使用本机已索引的全部目录（{count} 个）。要为它建立索引，请运行 muxue_rag index{-c}",
    en:
      "The current folder, {dir}, is not indexed, so this is about all folders that were indexed on this machine ({count}). To index it, run muxue_rag index{-c}",
  },
  cli_inside_indexed: {
    zh: "{dir} 属于已索引的目录 {root}，使用后者的索引",
    en: "{dir} is part of the indexed folder {root}, so the index of that folder is used",
  },
  cli_second_index: {
    zh:
      "{dir} 属于已索引的目录 {root}。将为它另建索引，今后在其中检索时使用此索引；要更新原有的索引，请运行 muxue_rag index {root!}{-c}",
    en:
      "{dir} is part of the indexed folder {root}. It gets a second index, and searches in it will use that one. To update the other index, run muxue_rag index {root!}{-c}",
  },
  cli_confirm_second_index: {
    zh:
      "{dir} 属于已索引的目录 {root}，其中的检索使用后者的索引（更新：muxue_rag index {root!}{-c}）。仍要另建索引吗？[y/N] ",
    en:
      "{dir} is part of the indexed folder {root}, and searches in it use the index of {root} (to update it: muxue_rag index {root!}{-c}). Build a second index? [y/N] ",
  },
  cli_searched: { zh: "检索了：{dirs}", en: "Searched: {dirs}" },
  cli_searched_many: {
    zh: "检索了 {count} 个目录：{dirs} 等",
    en: "Searched {count} folders: {dirs} and {more} more",
  },
  cli_searched_here: { zh: "（检索全部目录：--all）", en: " (all folders: --all)" },
} satisfies Texts;
