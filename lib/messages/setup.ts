import type { Texts } from "./texts.ts";

/** Of the command `setup`. */
export const SETUP = {
  cli_setup_clients: {
    zh: "可以配置的客户端（muxue_rag setup 客户端 --dir 目录）：",
    en: "Clients that can be set up (muxue_rag setup CLIENT --dir DIR):",
  },
  cli_setup_installed: { zh: "已安装", en: "installed" },
  cli_setup_not_installed_here: { zh: "未发现", en: "not found" },
  cli_setup_in_project: { zh: "项目中：{path}", en: "in a project: {path}" },
  cli_setup_unknown_client: {
    zh: "未知客户端 {client}，可用的有：{clients}",
    en: "Unknown client {client}; the clients are: {clients}",
  },
  cli_setup_unknown_client_suggest: {
    zh: "未知客户端 {client}，是否想用 {suggestion}？",
    en: "Unknown client {client}; did you mean {suggestion}?",
  },
  cli_setup_client_missing: {
    zh: "缺少客户端：muxue_rag setup 客户端 --dir 目录，可用的有：{clients}",
    en: "The client is missing: muxue_rag setup CLIENT --dir DIR; the clients are: {clients}",
  },
  cli_setup_bad_name: {
    zh: "服务器名称 {name} 无效，只能用 1 到 64 个英文字母、数字、下划线和连字符",
    en: "{name} is no valid name of a server: use 1 to 64 letters, digits, underscores and hyphens",
  },
  cli_setup_no_project: {
    zh: "{client} 没有项目级配置文件，--project 只用于 {clients}",
    en: "{client} has no file for a project; --project goes with {clients}",
  },
  cli_setup_no_home: {
    zh:
      "找不到用户的主目录，无法确定 {client} 的配置文件；请检查环境变量 HOME（Windows：USERPROFILE、APPDATA）",
    en:
      "The user's home folder is unknown, and so is the file of {client}: check the environment variable HOME (Windows: USERPROFILE, APPDATA)",
  },
  cli_setup_not_installed: {
    zh: "这台机器上似乎没有安装 {client}，未创建 {path}；仍要创建请加 --force",
    en:
      "{client} does not seem to be installed on this machine, so {path} was not made; add --force to make it nevertheless",
  },
  cli_setup_maybe_not_installed: {
    zh: "这台机器上似乎没有安装 {client}",
    en: "{client} does not seem to be installed on this machine",
  },
  cli_setup_other_file: {
    zh: "{client} 还有一个配置文件 {path}，未作改动；如果它用的是那个文件，请手动写入",
    en:
      "{client} has another file, {path}, which is left alone: if that is the one it uses, put the entry there yourself",
  },
  cli_setup_put_new: {
    zh: "{client}：新建文件 {path}，内容如下：",
    en: "{client}: make the file {path} with this content:",
  },
  cli_setup_put_into: {
    zh: "{client}：把下面的内容并入 {path}：",
    en: "{client}: put this into {path}, beside what is there:",
  },
  cli_setup_has_other: {
    zh: "{client}：{path} 中的 {name} 与下面的内容不同：",
    en: "{client}: the entry {name} in {path} is another than this:",
  },
  cli_setup_same: {
    zh: "{path} 中已有这一项，无需改动",
    en: "{path} has this entry already, nothing to change",
  },
  cli_setup_own_command: { zh: "也可以用它自己的命令：{command}", en: "Or by its own command: {command}" },
  cli_setup_hint_write: {
    zh: "加上 --write 可由本程序写入：先显示改动并确认，保留备份",
    en: "With --write this program edits the file: it shows the change, asks, and keeps a backup",
  },
  cli_setup_every_dir: {
    zh: "没有 --dir：服务器将提供本机处理过的所有目录",
    en: "Without --dir the server offers every directory that was processed on this machine",
  },
  cli_setup_found_file: {
    zh:
      "该项指定了在当前目录中找到的 {path}：今后服务一律以它为准，能写入该处的人都能改变配置；如果该目录不是您自己的，请把文件移到用户配置目录",
    en:
      "the entry names {path}, which was found in the working folder: from now on the server does what it says, and whoever can write there can change that; move it to your configuration folder unless this folder is your own",
  },
  cli_setup_not_indexed: {
    zh: "{path} 尚未建立索引：请运行 {command}；或在 setup 后加 --update，由服务在启动时建立",
    en: "{path} is not indexed: run {command}, or give setup --update, and the server does so when it starts",
  },
  cli_setup_lost_reference: {
    zh: "{path} 中的 {key} 是 env:{name}，而 {client} 启动服务时没有这个环境变量，服务会报错退出。" +
      "请把密钥直接写在那里并加密：{command}",
    en:
      "{key} in {path} is env:{name}, but {client} starts the server without that variable, and it will end with " +
      "an error. Put the key itself there and encrypt it: {command}",
  },
  cli_setup_lost_variable: {
    zh: "{key} 来自环境变量 {name}；密钥不会写入客户端的文件。请把它写在 {path} 中并加密：{command}",
    en:
      "{key} comes from {name}, a secret that is not put into the client's file. Write it into {path} and encrypt it: " +
      "{command}",
  },
  cli_setup_lost_passphrase: {
    zh: "{path} 中的 {key} 用 {name} 中的口令加密；口令不会写入客户端的文件，服务没有它会报错退出。" +
      "请改用密钥文件加密：清除 {name}，把密钥直接写在那里，再运行 {command}",
    en:
      "{key} in {path} is encrypted with the passphrase in {name}, which is not put into the client's file: without it " +
      "the server will end with an error. Encrypt by the key file instead: unset {name}, put the key itself there, " +
      "then {command}",
  },
  cli_setup_lost_address: {
    zh:
      "{key} 来自环境变量 {name}，其中含有密钥，不会写入客户端的文件。请把密钥改写为 api_key，或自行在 {client} 中设置 {name}",
    en:
      "{key} comes from {name} and holds a secret, so it is not put into the client's file. Give the secret as api_key, " +
      "or set {name} in {client} yourself",
  },
  cli_setup_link: {
    zh: "{path} 是链接，将修改它所指的文件 {target}",
    en: "{path} is a link: the file it leads to is edited, {target}",
  },
  cli_setup_confirm: {
    zh: "将对 {path} 作以上改动。继续吗？[y/N] ",
    en: "This changes {path} as shown above. Go on? [y/N] ",
  },
  cli_setup_written: { zh: "已写入 {path}", en: "Written: {path}" },
  cli_setup_backup: { zh: "原文件备份：{path}", en: "Backup of the old file: {path}" },
  cli_setup_restart: {
    zh: "请重新启动 {client}，使改动生效",
    en: "Restart {client} for the change to take effect",
  },
  cli_setup_invalid: {
    zh: "{path}:{line}:{column} 不是有效的 {format}（{problem}），未做任何改动；请先改正",
    en: "{path}:{line}:{column} is not valid {format} ({problem}), nothing was changed: correct it first",
  },
  cli_setup_not_editable: {
    zh: "{path} 中的 {key} 不是通常的写法，无法只改这一项，未做任何改动；请手动写入",
    en:
      "{key} in {path} is not written in the usual way, so that the entry cannot be put there without touching " +
      "something else; nothing was changed. Put it there yourself",
  },
  cli_setup_changed: {
    zh: "{path} 刚被其他程序修改，未做任何改动；请关闭客户端后重试",
    en:
      "{path} was changed by another program just now, so nothing was written: close the client and try again",
  },
  cli_setup_broken_link: {
    zh: "{path} 是链接，但它所指的文件不存在",
    en: "{path} is a link to a file that does not exist",
  },
  cli_setup_not_utf8: {
    zh: "{path} 不是 UTF-8 编码，未做任何改动；请另存为 UTF-8",
    en: "{path} is not UTF-8 text, nothing was changed: save it as UTF-8",
  },
  cli_setup_unreadable: { zh: "无法读取 {path}：{reason}", en: "Cannot read {path}: {reason}" },
  cli_setup_unwritable: {
    zh: "无法写入 {path}：{reason}。请检查权限，并关闭客户端",
    en: "Cannot write {path}: {reason}. Check the permissions, and close the client",
  },
} satisfies Texts;
