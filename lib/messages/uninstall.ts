import type { Texts } from "./texts.ts";

/** Texts of the command `uninstall`. */
export const UNINSTALL = {
  cli_uninstall_heading: {
    zh: "本程序在这台机器上写入的内容：",
    en: "Written by this program on this machine:",
  },
  cli_uninstall_nothing: {
    zh: "本程序没有在这台机器上写入任何内容",
    en: "This program has written nothing on this machine",
  },
  cli_uninstall_no_entry: {
    zh: "{client} 的配置文件中没有本程序的项",
    en: "The files of {client} have no entry of this program",
  },
  cli_uninstall_index: { zh: "索引", en: "index" },
  cli_uninstall_folders: { zh: "目录列表", en: "list of folders" },
  cli_uninstall_logs: { zh: "日志", en: "logs" },
  cli_uninstall_models: { zh: "模型", en: "models" },
  cli_uninstall_index_key: { zh: "索引的密钥", en: "key of the indexes" },
  cli_uninstall_configuration: { zh: "配置", en: "configuration" },
  cli_uninstall_secret_key: { zh: "加密用的密钥", en: "key of secrets" },
  cli_uninstall_client: { zh: "客户端配置项", en: "client's entry" },
  cli_uninstall_stays: {
    zh: "您的文档、索引的备份、项目目录中的配置和程序本身（{program}）都会保留",
    en:
      "Your documents, backups of indexes, configurations in projects and the program itself ({program}) stay",
  },
  cli_uninstall_confirm: { zh: "要删除以上各项吗？[y/N] ", en: "Remove all that is listed? [y/N] " },
  cli_uninstall_listed: {
    zh: "未删除任何内容。如要删除以上各项，请加 --yes",
    en: "Nothing was removed. To remove all that is listed, add --yes",
  },
  cli_uninstall_done: { zh: "已删除", en: "Removed" },
  cli_uninstall_part: {
    zh: "已删除，但有 {count} 项未能删除",
    en: "Removed, except for {count} {count|item|items}",
  },
  cli_uninstall_needed: {
    zh: "还有索引未能删除，因此保留",
    en: "kept, since an index could not be removed and needs it",
  },
} satisfies Texts;
