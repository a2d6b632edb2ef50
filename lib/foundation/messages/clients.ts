/** MCP clients and the server for them: the commands `serve`, `setup` and `uninstall`. */
import type { Texts } from "./texts.ts";

export const CLIENTS = {
  // Texts of the command `serve`: where it listens, and what it cannot do for a folder.
  cli_serve_at_terminal: [
    `这是 MCP 服务（目录数：{count}），由 AI 客户端启动，通过标准输入输出通信；按 Ctrl-C 结束
要接入客户端，请运行：muxue_rag setup`,
    `This is the MCP server ({count} {count|folder|folders}). An AI client starts it and speaks to it on standard input; Ctrl-C ends it
To connect a client, run: muxue_rag setup`,
  ],
  cli_serve_http: [
    `MCP 服务已启动：{url}（目录数：{count}），按 Ctrl-C 结束
在客户端中添加类型为 http（streamable HTTP）的服务器，地址如上。例如 Claude Code：{command}`,
    `The MCP server listens on {url} ({count} {count|folder|folders}). Ctrl-C ends it
In the client, add a server of the type http (streamable HTTP) with this address. In Claude Code: {command}`,
  ],
  cli_serve_http_token: [
    `访问令牌（只显示这一次，重启后失效）：{token}
请求须带上请求头 Authorization: Bearer 令牌。要使用固定的令牌，请用 --token-env`,
    `Token (shown only once, and valid until the server ends): {token}
Requests must carry the header Authorization: Bearer TOKEN. To keep a token, use --token-env`,
  ],
  cli_serve_http_plain: [
    "其他机器可以访问 {url}，但连接未加密，令牌和内容可能被窃听。请使用 --tls-cert 和 --tls-key，或在前面放置提供 HTTPS 的代理",
    "Other machines can reach {url}, and the connection is not encrypted: the token and the texts can be read on the way. Use --tls-cert and --tls-key, or a proxy with HTTPS",
  ],
  cli_bad_host: [
    "--host {host} 不是 IP 地址。请使用 127.0.0.1（仅本机）、0.0.0.0（所有网络）等",
    "--host {host} is not an IP address. Use 127.0.0.1 (this machine only), 0.0.0.0 (every network) or another",
  ],
  cli_token_missing: [
    "环境变量 {name} 未设置或为空。请在其中放入访问令牌",
    "The environment variable {name} is not set or empty. Put the token there",
  ],
  cli_token_short: [
    "环境变量 {name} 中的令牌太短，至少需要 {limit} 个字符",
    "The token in the environment variable {name} is too short. Use at least {limit} characters",
  ],
  cli_token_characters: [
    "环境变量 {name} 中的令牌只能包含可打印的 ASCII 字符，不含空格",
    "The token in the environment variable {name} may only have printable ASCII characters, and no spaces",
  ],
  cli_not_pem: [
    "{path} 不是 PEM 文件（应含有 -----BEGIN 开头的行）",
    "{path} is not a PEM file (it should have a line that begins with -----BEGIN)",
  ],
  http_port_taken: [
    "{address} 已被其他程序占用。请用 --port 指定其他端口（--port 0 为任意空闲端口）",
    "Another program uses {address}. Choose another port with --port (0 for any free port)",
  ],
  http_cannot_listen: [
    "无法在 {address} 上提供服务：{reason}。请检查 --host 和 --port",
    "Cannot listen on {address}: {reason}. Check --host and --port",
  ],
  cli_serve_not_open: [
    "暂时无法检索，收到下一个请求时再试：{text}",
    "Searching is not possible yet; the next request will try again: {text}",
  ],
  cli_serve_update_failed: [
    "目录 {dir} 的索引未能更新：{text}（检索不受影响；排除问题后请运行 muxue_rag --dir {dir!}{-c}）",
    "The index of {dir} could not be updated: {text} (searches are not affected; after fixing the problem, run muxue_rag --dir {dir!}{-c})",
  ],
  cli_serve_vectors_begin: [
    "在后台为 {dir} 生成本地模型的 {count} 个向量，估计需要 {left}；在此期间按关键词和内置词向量检索",
    "Making {count} vectors of the local models for {dir} in the background: about {left}. Keywords and built-in word vectors are searched meanwhile",
  ],
  cli_serve_vectors_failed: [
    "目录 {dir} 的本地模型向量未能生成：{text}（检索照常进行；排除问题后会自动重试）",
    "The vectors of the local models for {dir} could not be made: {text} (searches go on without them; it is tried again later)",
  ],
  cli_serve_server_failed: [
    "目录 {dir} 的向量未能从向量服务取得：{text}（检索照常进行，用关键词和内置词向量；服务恢复后自动继续）",
    "The embedding server gave no vectors for {dir}: {text} (searches go on with keywords and built-in word vectors; the rest is requested when the server answers again)",
  ],
  cli_serve_folder_gone: [
    "目录 {dir} 不见了，暂不更新其索引；目录恢复后会自动继续",
    "The folder {dir} is gone. Its index will be updated again when the folder is back",
  ],
  cli_serve_files_elsewhere: [
    "{dir} 不在本机，只检索其索引，不更新",
    "{dir} is not on this machine. Its index is searched and not updated",
  ],
  cli_serve_not_watched: [
    "无法监视目录 {dir}：{text}（改为每 30 秒检查一次。在 Linux 上可调高 fs.inotify.max_user_watches 和 fs.inotify.max_user_instances）",
    "The folder {dir} cannot be watched: {text} (it is checked every 30 seconds instead; on Linux, raise fs.inotify.max_user_watches and fs.inotify.max_user_instances)",
  ],
  // Texts of the command `setup`.
  cli_setup_clients: [
    "可以配置的客户端（muxue_rag setup 客户端 --dir 目录）：",
    "Clients that can be set up (muxue_rag setup CLIENT --dir DIR):",
  ],
  cli_setup_installed: ["已安装", "installed"],
  cli_setup_not_installed_here: ["未发现", "not found"],
  cli_setup_in_project: ["（项目中：{path}）", "(in a project: {path})"],
  cli_setup_unknown_client: [
    "未知客户端 {client}，可用的有：{clients}",
    "Unknown client {client}. The clients are: {clients}",
  ],
  cli_setup_unknown_client_suggest: [
    "未知客户端 {client}，是否想用 {suggestion}？",
    "Unknown client {client}. Did you mean {suggestion}?",
  ],
  cli_setup_client_missing: [
    "缺少客户端。用法：muxue_rag setup 客户端 --dir 目录，或加 --write 写入所有已安装的客户端。可用的有：{clients}",
    "No client given. Usage: muxue_rag setup CLIENT --dir DIR, or with --write for all that are installed; the clients are: {clients}",
  ],
  cli_setup_bad_name: [
    "服务器名称 {name} 无效。只能用 1 到 64 个英文字母、数字、下划线和连字符",
    "{name} is not a valid server name. Use 1 to 64 letters, digits, underscores and hyphens",
  ],
  cli_setup_no_project: [
    "{client} 没有项目级配置文件，--project 只用于 {clients}",
    "{client} has no configuration file for a project; --project can be used with {clients}",
  ],
  cli_setup_bad_url: [
    "{url} 不是 HTTP 地址。请写成 http://127.0.0.1:7368/mcp 这样，不带用户名和密码",
    "{url} is not an HTTP address. Write it like http://127.0.0.1:7368/mcp, without a user name and password",
  ],
  cli_setup_bad_variable: [
    "{name} 不是环境变量的名称。--token-env 需要变量的名称，而不是令牌",
    "{name} is not the name of an environment variable. --token-env takes the variable's name, not the token",
  ],
  cli_setup_no_http: [
    "{client} 的配置文件只能写启动命令，--url 只用于 {clients}",
    "The configuration file of {client} only takes commands; --url can be used with {clients}",
  ],
  cli_setup_no_token_env: [
    "{client} 的配置文件不能引用环境变量，令牌只能以明文写入，请自行决定并手动添加。--token-env 可用于 {clients}",
    "The file of {client} cannot name an environment variable, so the token would have to stand in it as plain text; add it by hand if you want that. --token-env can be used with {clients}",
  ],
  cli_setup_skipped_no_http: [
    "已跳过 {client}：其配置文件只能写启动命令，不能写地址",
    "{client} is skipped: its file takes a command, and no address",
  ],
  cli_setup_skipped_no_token_env: [
    "已跳过 {client}：其配置文件不能引用存放令牌的环境变量",
    "{client} is skipped: its file cannot name the variable with the token",
  ],
  cli_setup_no_home: [
    "找不到用户的主目录，无法确定 {client} 的配置文件。请检查环境变量 HOME（Windows：USERPROFILE、APPDATA）",
    "The user's home folder is unknown, so the configuration file of {client} cannot be found. Check the environment variable HOME (Windows: USERPROFILE, APPDATA)",
  ],
  cli_setup_not_installed: [
    "这台机器上似乎没有安装 {client}，未创建 {path}。如仍要创建，请加 --force",
    "{client} does not seem to be installed on this machine, so {path} was not created. To create it anyway, add --force",
  ],
  cli_setup_maybe_not_installed: [
    "这台机器上似乎没有安装 {client}",
    "{client} does not seem to be installed on this machine",
  ],
  cli_setup_other_file: [
    "{client} 还有一个配置文件 {path}，未作改动。如果它用的是那个文件，请手动写入",
    "{client} has another configuration file, {path}, which was not changed. If {client} uses that one, add the entry there yourself",
  ],
  cli_setup_put_new: [
    "{client}：请新建文件 {path}，内容如下：",
    "{client}: create the file {path} with this content:",
  ],
  cli_setup_put_into: ["{client}：请把下面的内容并入 {path}：", "{client}: add this to {path}:"],
  cli_setup_has_other: [
    "{client}：{path} 中的 {name} 与下面的内容不同：",
    "{client}: the entry {name} in {path} differs from this:",
  ],
  cli_setup_same: ["{path} 中已有这一项，无需改动", "{path} already has this entry. Nothing to change"],
  cli_setup_own_command: [
    "也可以用该客户端自己的命令：{command}",
    "Or use the client's own command: {command}",
  ],
  cli_setup_hint_write: [
    "加上 --write，由本程序写入：先显示改动并请您确认，再保留备份",
    "With --write, this program edits the file: it shows the change, asks for confirmation, and keeps a backup",
  ],
  cli_setup_every_dir: [
    "没有 --dir：服务器将提供本机处理过的所有目录",
    "Without --dir, the server offers every folder that was indexed on this machine",
  ],
  cli_setup_no_dir: [
    "本机还没有已索引的目录，服务将没有内容可检索。请加 --dir 目录，或先运行 muxue_rag index 目录",
    "No folder was indexed on this machine yet, so the server would have nothing to search. Add --dir DIR, or run muxue_rag index DIR first",
  ],
  cli_setup_found_file: [
    "该项指定了在当前目录中找到的 {path}。今后服务一律以它为准，能写入该处的人都能改变配置。如果该目录不是您自己的，请把文件移到用户配置目录",
    "The entry names {path}, which was found in the working folder. From now on the server uses this file, and anyone who can write there can change the configuration. Unless the folder is your own, move the file to your configuration folder",
  ],
  cli_setup_not_indexed: [
    "{path} 尚未建立索引，而服务不会自行建立。请运行 {command}",
    "{path} has no index yet, and the server will not build it. Run {command}",
  ],
  cli_setup_lost_reference: [
    "{path} 中的 {key} 是 env:{name}，而 {client} 启动服务时没有这个环境变量，服务会报错退出。请把密钥直接写在那里并加密：{command}",
    "{key} in {path} is env:{name}, but {client} starts the server without that variable, so the server will end with an error. Put the key itself there and encrypt it: {command}",
  ],
  cli_setup_lost_variable: [
    "{key} 来自环境变量 {name}；密钥不会写入客户端的文件。请把它写在 {path} 中并加密：{command}",
    "{key} comes from {name}. A secret is not written into the client's file. Write it into {path} and encrypt it: {command}",
  ],
  cli_setup_lost_passphrase: [
    "{path} 中的 {key} 用 {name} 中的口令加密；口令不会写入客户端的文件，服务没有它会报错退出。请改用密钥文件加密：清除 {name}，把密钥直接写在那里，再运行 {command}",
    "{key} in {path} is encrypted with the passphrase in {name}, which is not written into the client's file. Without it, the server will end with an error. Encrypt with the key file instead: unset {name}, put the key itself there, then run {command}",
  ],
  cli_setup_lost_address: [
    "{key} 来自环境变量 {name}，其中含有密钥，不会写入客户端的文件。请把密钥改为由 api_key 给出，或自行在 {client} 中设置 {name}",
    "{key} comes from {name} and contains a secret, so it is not written into the client's file. Move the secret to api_key, or set {name} in {client} yourself",
  ],
  cli_setup_link: [
    "{path} 是链接，将修改它所指的文件 {target}",
    "{path} is a link; this edits the file it points to, {target}",
  ],
  cli_setup_confirm: [
    "将对 {path} 作以上改动。继续吗？[y/N] ",
    "This changes {path} as shown above. Continue? [y/N] ",
  ],
  cli_setup_written: ["已写入 {path}", "Written: {path}"],
  cli_setup_backup: ["原文件备份：{path}", "Backup of the old file: {path}"],
  cli_setup_dry: ["未写入 {path}（--dry-run）", "Not written, because of --dry-run: {path}"],
  cli_setup_checked: [
    "已检验：服务可以启动，提供 {tools} 个工具（{seconds} 秒）",
    "Checked: the server starts and offers {tools} tools ({seconds} s)",
  ],
  cli_setup_taken_back: ["{path} 已恢复原样", "{path} is as it was before"],
  cli_setup_not_taken_back: [
    "{path} 未能恢复原样；写入之前的备份：{backup}",
    "{path} could not be put back; the backup from before: {backup}",
  ],
  cli_setup_no_start: [
    "无法启动服务：{reason}。命令：{command}",
    "The server cannot be started: {reason}. Command: {command}",
  ],
  cli_setup_ended: [
    "服务启动后随即退出（{reason}）：{text}（命令：{command}）",
    "The server ended before it answered ({reason}): {text} (command: {command})",
  ],
  cli_setup_no_answer: [
    "服务在 {seconds} 秒内没有应答：{text}（命令：{command}）",
    "The server did not answer within {seconds} seconds: {text} (command: {command})",
  ],
  cli_setup_bad_answer: [
    "服务的应答不是预期的内容：{text}（命令：{command}）",
    "The server's answer is not what was expected: {text} (command: {command})",
  ],
  // How a client takes up the change.
  cli_setup_reads_restart: [
    "请重新启动 {client}，使改动生效",
    "Restart {client} for the change to take effect",
  ],
  cli_setup_reads_quit: [
    "请完全退出 {client}（包括托盘或菜单栏中的图标），再重新打开",
    "Quit {client}, also in the tray or menu bar, and open it again",
  ],
  cli_setup_reads_session: ["请在 {client} 中开始新的会话", "Start a new session of {client}"],
  cli_setup_reads_extension: [
    "请重新加载装有 {client} 的编辑器窗口",
    "Reload the window of the editor that has {client}",
  ],
  cli_setup_reads_nothing: ["{client} 会自行读取改动", "{client} takes up the change by itself"],
  cli_setup_reads_trust: [
    "在 {client} 中运行命令 MCP: List Servers，启动 {name} 并选择信任",
    "In {client}, run the command MCP: List Servers, start {name} and trust it",
  ],
  cli_setup_paste_database: [
    "{client} 把服务保存在自己的数据库中。请打开 设置 → MCP 服务器 → 添加 → 从 JSON 导入，粘贴以下内容：",
    "{client} keeps its servers in a database of its own. Open Settings → MCP Servers → Add → Import from JSON, and paste this:",
  ],
  cli_setup_paste_file: [
    "请打开 {client} 的 设置 → MCP → 原始配置（JSON），把以下内容并入：",
    "In {client}, open Settings → MCP → Raw Configuration (JSON), and add this:",
  ],
  cli_setup_paste_link: [
    "也可以在浏览器中打开这个地址，由 {client} 添加：{link}",
    "Or open this address in a browser, and {client} adds it: {link}",
  ],
  cli_setup_pasted: ["（在客户端中粘贴）", "(to paste in the client)"],
  cli_setup_none_installed: [
    "没有发现已安装的客户端。其他客户端可运行 muxue_rag setup 客户端，得到要粘贴的内容",
    "No client was found. For one that is not found, muxue_rag setup CLIENT prints the entry to paste",
  ],
  cli_setup_hint_all: [
    "要写入已安装的 {count} 个客户端：muxue_rag setup --write（先用 --dry-run 查看改动）",
    "To set up the {count} installed {count|client|clients}: muxue_rag setup --write (see the changes first with --dry-run)",
  ],
  cli_setup_invalid: [
    "{path}:{line}:{column} 不是有效的 {format}（{problem}），未做任何改动。请先改正",
    "{path}:{line}:{column} is not valid {format} ({problem}), so nothing was changed. Correct it first",
  ],
  cli_setup_comment: [
    "{path}:{line}:{column} 是注释，而此客户端的文件应为不含注释的 JSON，未做任何改动。请先删去注释",
    "{path}:{line}:{column} is a comment, and this client's file should be JSON without comments, so nothing was changed. Remove it first",
  ],
  cli_setup_not_editable: [
    "{path} 中的 {key} 不是通常的写法，无法只改这一项，因此未做任何改动。请手动修改",
    "{key} in {path} is written in an unusual way, so the entry cannot be changed without touching anything else. Nothing was changed. Edit the file yourself",
  ],
  cli_setup_changed: [
    "{path} 刚被其他程序修改，未做任何改动。请关闭客户端后重试",
    "{path} was just changed by another program, so nothing was written. Close the client and try again",
  ],
  cli_setup_broken_link: [
    "{path} 是链接，但它所指的文件不存在",
    "{path} is a link to a file that does not exist",
  ],
  cli_setup_not_utf8: [
    "{path} 不是 UTF-8 编码，未做任何改动。请另存为 UTF-8",
    "{path} is not UTF-8, so nothing was changed. Save it as UTF-8",
  ],
  cli_setup_read_only: [
    "{path} 是只读文件，未做任何改动。它可能由其他程序管理；否则请先取消只读",
    "{path} is read-only, so nothing was changed. Another program may manage it; otherwise make it writable first",
  ],
  cli_setup_unreadable: ["无法读取 {path}：{reason}", "Cannot read {path}: {reason}"],
  cli_setup_disk_full: [
    "磁盘空间不足，{path} 未作改动。请腾出空间后重试",
    "The disk is full, so {path} was not changed. Free some space and try again",
  ],
  cli_setup_unwritable: [
    "无法写入 {path}：{reason}。请检查权限，并关闭客户端",
    "Cannot write {path}: {reason}. Check the permissions and close the client",
  ],
  // Texts of the command `uninstall`.
  cli_uninstall_heading: ["本程序在这台机器上写入的内容：", "Written by this program on this machine:"],
  cli_uninstall_nothing: [
    "本程序没有在这台机器上写入任何内容",
    "This program has written nothing on this machine",
  ],
  cli_uninstall_no_entry: [
    "{client} 的配置文件中没有本程序的项",
    "The files of {client} have no entry of this program",
  ],
  cli_uninstall_index: ["索引", "index"],
  cli_uninstall_folders: ["目录列表", "list of folders"],
  cli_uninstall_consents: ["对语言模型的同意", "consents to language models"],
  cli_uninstall_usage: ["当天用掉的词元数", "tokens of the day"],
  cli_uninstall_tokens: ["访问令牌", "access tokens"],
  cli_uninstall_logs: ["日志", "logs"],
  cli_uninstall_models: ["模型", "models"],
  cli_uninstall_index_key: ["索引的密钥", "key of the indexes"],
  cli_uninstall_configuration: ["配置", "configuration"],
  cli_uninstall_secret_key: ["加密用的密钥", "key of secrets"],
  cli_uninstall_client: ["客户端配置项", "client's entry"],
  cli_uninstall_stays: [
    "您的文档、索引和客户端文件的备份、项目目录中的配置和程序本身（{program}）都会保留",
    "Your documents, backups of indexes and of clients' files, configurations in projects and the program itself ({program}) stay",
  ],
  cli_uninstall_confirm: ["要删除以上各项吗？[y/N] ", "Remove all that is listed? [y/N] "],
  cli_uninstall_listed: [
    "未删除任何内容。如要删除以上各项，请加 --yes",
    "Nothing was removed. To remove all that is listed, add --yes",
  ],
  cli_uninstall_done: ["已删除", "Removed"],
  cli_uninstall_part: ["已删除，但有 {count} 项未能删除", "Removed, except for {count} {count|item|items}"],
  cli_uninstall_needed: [
    "还有索引未能删除，因此保留",
    "kept, since an index could not be removed and needs it",
  ],
} satisfies Texts;
