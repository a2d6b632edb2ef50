/**
 * The command line: errors, notes and questions of all commands,
 * and the scripts that complete command lines.
 */
import type { Texts } from "./texts.ts";

/** Texts of the command line. */
export const COMMAND_LINE = {
  cli_error: { zh: "错误：{text}", en: "Error: {text}" },
  cli_warning: { zh: "注意：{text}", en: "Note: {text}" },
  cli_internal_error: { zh: "程序内部错误：{detail}", en: "Internal error: {detail}" },
  cli_internal_error_logged: {
    zh: "程序内部错误：{detail}。详情见日志",
    en: "Internal error: {detail}. See the log for details",
  },
  cli_done: { zh: "完成", en: "Done" },
  cli_see_help: { zh: "用法见 {command}", en: "For usage, run {command}" },
  cli_stopping: {
    zh: "正在停止…（再按一次 Ctrl-C 立即结束）",
    en: "Stopping… (press Ctrl-C again to quit immediately)",
  },
  cli_stopped_first: {
    zh: "已停止，还没有建立索引。再次运行同一命令即可建立",
    en: "Stopped. There is no index yet. Run the command again to build it",
  },
  cli_stopped: { zh: "已停止，原有索引保持不变", en: "Stopped. The existing index is unchanged" },
  cli_system_error: {
    zh: "系统报错：{detail}。请检查磁盘、权限和系统限制（如打开文件数），然后重试",
    en:
      "The system reported an error: {detail}. Check the disk, the permissions and the system limits (such as the number of open files), then try again",
  },
  cli_runtime_variable: {
    zh:
      "设置了环境变量 {name}：运行时在程序启动之前就会使用它（写出加密连接的密钥，或连接它指定的套接字），程序无法阻止。请取消设置",
    en:
      "The environment variable {name} is set. The runtime uses it before the program starts (to write the keys of encrypted connections, or to connect to the socket it names), and the program cannot prevent that. Unset it",
  },
  cli_names_hidden: {
    zh: "运行时 Deno {deno} 看不到名称不是有效 UTF-8 的文件和文件夹，因此它们既不会被索引，也不会列出",
    en:
      "The runtime, Deno {deno}, cannot see files and folders whose names are not valid UTF-8, so they are neither indexed nor listed",
  },
  cli_ended_by_force: {
    zh: "程序没有响应，已强制结束；如已有索引，则保持不变",
    en: "The program did not respond and was terminated. If there was an index, it is unchanged",
  },
  cli_interrupted: { zh: "已停止", en: "Stopped" },
  cli_unknown_option: { zh: "未知选项 {flag}", en: "Unknown option {flag}" },
  cli_unknown_option_suggest: {
    zh: "未知选项 {flag}，是否想用 {suggestion}？",
    en: "Unknown option {flag}. Did you mean {suggestion}?",
  },
  cli_option_not_here: {
    zh: "选项 {flag} 不能用于 {command}，只用于 {commands}",
    en: "Option {flag} cannot be used with {command}, only with {commands}",
  },
  cli_option_no_value: { zh: "选项 {flag} 不带取值", en: "Option {flag} takes no value" },
  cli_option_value_missing: { zh: "选项 {flag} 缺少取值", en: "Option {flag} needs a value" },
  cli_option_needs: {
    zh: "选项 {flag} 要与 {other} 一起使用",
    en: "Option {flag} can only be used together with {other}",
  },
  cli_option_conflict: {
    zh: "选项 {flag} 与 {other} 不能同时使用",
    en: "Options {flag} and {other} cannot be used together",
  },
  cli_bad_choice: {
    zh: "选项 {flag} 的取值 {value} 无效，可用的取值：{choices}",
    en: "Invalid value {value} for {flag}. Use one of: {choices}",
  },
  cli_bad_number: {
    zh: "选项 {flag} 的取值 {value} 无效，应为 {min} 到 {max} 之间的整数",
    en: "Invalid value {value} for {flag}. Use a whole number from {min} to {max}",
  },
  cli_unknown_command: {
    zh: "未知命令 {name}，可用的命令：{commands}",
    en: "Unknown command {name}. The commands are: {commands}",
  },
  cli_group_incomplete: {
    zh: "{name} 后面要写具体的命令：{commands}",
    en: "{name} needs one of its commands: {commands}",
  },
  cli_unknown_command_suggest: {
    zh: "未知命令 {name}，是否想用 {suggestion}？",
    en: "Unknown command {name}. Did you mean {suggestion}?",
  },
  cli_bare_directory: { zh: "请用 --dir 指定目录：{command}", en: "Use --dir to name a folder: {command}" },
  cli_too_many_arguments: {
    zh: "{command} 的参数过多：{arguments}",
    en: "Too many arguments for {command}: {arguments}",
  },
  cli_query_missing: {
    zh: "缺少检索内容。用法：muxue_rag search 关键词或问题",
    en: "No query given. Usage: muxue_rag search WORDS OR A QUESTION",
  },
  cli_query_too_long: {
    zh: "检索内容过长：{length} 个字符，上限为 {limit} 个字符。请缩短",
    en: "The query is too long: {length} characters; the limit is {limit}. Shorten it",
  },
  cli_backup_file_missing: {
    zh: "缺少备份文件。用法：muxue_rag restore 备份文件 --dir 目录",
    en: "No backup file given. Usage: muxue_rag restore FILE --dir DIR",
  },
  cli_backup_file_not_found: { zh: "备份文件 {path} 不存在", en: "The backup file {path} does not exist" },
  cli_dir_missing: { zh: "未指定目录。请用 --dir 指定", en: "No folder given. Name it with --dir" },
  cli_one_dir_only: {
    zh: "一次只能处理一个目录。请只用一个 --dir",
    en: "Only one folder can be processed at a time. Use --dir once",
  },
  cli_dir_error: { zh: "{text}：{dir}", en: "{text}: {dir}" },
  cli_dir_error_suggest: {
    zh: "{text}：{dir}。是否指 {suggestion}？",
    en: "{text}: {dir}. Did you mean {suggestion}?",
  },
  cli_dir_error_unknown: {
    zh: "{text}：{dir}。要查看已索引的目录，请运行：muxue_rag status --all",
    en: "{text}: {dir}. To list the indexed folders, run: muxue_rag status --all",
  },
  cli_dir_error_file: {
    zh: "{text}：{dir}。请改用文件所在的目录：{parent}",
    en: "{text}: {dir}. Name a folder, for a file the one it is in: {parent}",
  },
  cli_dir_gone: { zh: "已跳过目录 {dir}：{text}", en: "Skipped the folder {dir}: {text}" },
  cli_dir_left_out: { zh: "已跳过：{text}", en: "Skipped: {text}" },
  cli_index_unusable: {
    zh: "目录 {dir} 的索引无法使用：{text}",
    en: "The index of {dir} cannot be used: {text}",
  },
  cli_update_failed: {
    zh: "目录 {dir} 的索引未能更新，按现有索引检索：{text}",
    en: "The index of {dir} could not be updated, so the existing index was searched: {text}",
  },
  cli_output_full: { zh: "输出不完整：磁盘空间不足", en: "The output is incomplete: the disk is full" },
  cli_updated: {
    zh: "{dir} 的索引已更新：新增 {new}，修改 {changed}，改名 {renamed}，删除 {removed}",
    en: "Updated the index of {dir}: {new} new, {changed} changed, {renamed} renamed, {removed} removed",
  },
  cli_confirm_clean: {
    zh: "将删除 {dir} 的索引（{path}），源文件不受影响。继续吗？[y/N] ",
    en: "This deletes the index of {dir} ({path}). Your files are not touched. Continue? [y/N] ",
  },
  cli_confirm_restore: {
    zh: "{dir} 已有索引，将被备份 {path} 替换。继续吗？[y/N] ",
    en: "{dir} already has an index. The backup {path} will replace it. Continue? [y/N] ",
  },
  cli_backup_default_place: {
    zh: "将备份到 {path}（可用 --backup-path 指定其他位置）",
    en: "Backing up to {path} (--backup-path names another place)",
  },
  cli_confirm_backup_folder: {
    zh: "目录 {folder} 不存在。要新建吗？[y/N] ",
    en: "The folder {folder} does not exist. Create it? [y/N] ",
  },
  cli_backup_folder_missing: {
    zh: "目录 {folder} 不存在，未做任何改动。如要新建，请加 --yes",
    en: "The folder {folder} does not exist, so nothing was changed. To create it, add --yes",
  },
  cli_confirm_needed: {
    zh: "没有终端可供确认，未做任何改动。如确定要执行，请加 --yes",
    en: "There is no terminal to ask for confirmation, so nothing was changed. To confirm, add --yes",
  },
  cli_no_state_dir: {
    zh: "找不到用户的状态目录。请用环境变量 MUXUE_RAG_STATE_DIR 指定",
    en: "The user's state folder is unknown. Set it with the environment variable MUXUE_RAG_STATE_DIR",
  },
  cli_declined: { zh: "已取消，未做任何改动", en: "Cancelled. Nothing was changed" },
  cli_cleaned: { zh: "已删除索引：{dir}", en: "Index deleted: {dir}" },
  cli_nothing_to_clean: { zh: "没有可删除的索引：{dir}", en: "No index to delete: {dir}" },
  cli_backed_up: { zh: "已备份到 {path}（{size}）", en: "Backed up to {path} ({size})" },
  cli_backup_of_others: {
    zh: "备份中的 {files} 个文件只有 {present} 个在 {dir} 中，这可能是另一个目录的备份",
    en:
      "Only {present} of the {files} {files|file|files} in the backup are in {dir}. It may be the backup of another folder",
  },
  cli_backup_made_for: {
    zh: "这是 {from} 的备份，不是 {dir} 的",
    en: "This is a backup of {from}, not of {dir}",
  },
  cli_confirm_restore_other: {
    zh: "{text}。仍要用它作为 {dir} 的索引吗？[y/N] ",
    en: "{text}. Make it the index of {dir} all the same? [y/N] ",
  },
  cli_restore_needs_force: {
    zh: "{text}。未做任何改动。如确定要恢复，请加 --force",
    en: "{text}. Nothing was changed. To restore it all the same, add --force",
  },
  cli_restored_moved: {
    zh: "这是 {from} 的备份，检索之前需要逐个核对文件内容。请运行 muxue_rag --dir {dir!}{-c}",
    en:
      "This is a backup of {from}. Before it can be searched, every file must be compared with it. Run muxue_rag --dir {dir!}{-c}",
  },
  cli_index_missing_hint: {
    zh: "{path} 尚未建立索引。请运行：muxue_rag --dir {path!}{-c}",
    en: "{path} has no index yet. Run: muxue_rag --dir {path!}{-c}",
  },
  cli_index_damaged_hint: {
    zh: "{path} 的索引不可用（{problem}）。要重建，请运行：muxue_rag --dir {path!}{-c}",
    en: "The index of {path} cannot be used ({problem}). To rebuild it, run: muxue_rag --dir {path!}{-c}",
  },
  cli_restored: {
    zh: "已恢复索引：{dir}（{files} 个文件，{chunks} 个分片）",
    en: "Index restored: {dir} ({files} {files|file|files}, {chunks} {chunks|chunk|chunks})",
  },
  cli_config_ok: { zh: "配置有效，来源：{source}", en: "The configuration is valid. Source: {source}" },
  cli_configuration: { zh: "配置：{text}", en: "Configuration: {text}" },
  cli_configuration_how: { zh: "{path}（{how}）", en: "{path} ({how})" },
  cli_configuration_option: { zh: "--config", en: "--config" },
  cli_configuration_variable: { zh: "MUXUE_RAG_CONFIG", en: "MUXUE_RAG_CONFIG" },
  cli_configuration_user: { zh: "您的配置目录", en: "your configuration folder" },
  cli_configuration_cwd: {
    zh: "当前目录，未经指定：对 {dir} 之外的目录，只能收紧读取哪些文件的规则",
    en: "working folder, not named: outside {dir} it can only tighten the rules about which files are read",
  },
  cli_configuration_loosens: {
    zh:
      "{path} 的 {keys} 对 {dir} 不起作用：该文件未经指定，而此目录在它所在的目录之外。如确实要用，请用 --config {path} 指定",
    en:
      "{keys} in {path} has no effect on {dir}: the file was not named, and this folder is outside the file's own. If you want this, name it with --config {path}",
  },
  cli_config_builtin: { zh: "内置默认值", en: "the built-in defaults" },
  cli_config_written: { zh: "已写入默认配置：{path}", en: "Default configuration written: {path}" },
  cli_config_exists: {
    zh: "{path} 已存在，未覆盖。如要覆盖，请加 --force",
    en: "{path} already exists and was not changed. To overwrite it, add --force",
  },
  cli_config_no_folder: {
    zh: "目录 {folder} 不存在，无法写入 {path}。请先创建该目录，或换一个路径",
    en:
      "The folder {folder} does not exist, so {path} cannot be written. Create the folder, or choose another path",
  },
  cli_config_unwritable: {
    zh: "无法写入 {path}：{reason}。请检查权限，或用 --config 换一个路径",
    en: "Cannot write {path}: {reason}. Check the permissions, or choose another path with --config",
  },
  cli_secret_prompt: { zh: "密钥（输入时不显示）：", en: "Key (not shown while you type): " },
  cli_secret_read: { zh: "已读入 {count} 个字符", en: "{count} characters read" },
  cli_encrypt_argument: {
    zh:
      "config encrypt 后面只能写 {keys} 之一。不要把密钥本身写在命令行上：它会留在终端的历史记录里，其他进程也能看到。请不带参数运行，再输入密钥，或由标准输入传入",
    en:
      "config encrypt accepts only these names: {keys}. Do not put the key itself on the command line, where it stays in the shell history and other processes can see it. Run the command without an argument and type the key, or pass it on stdin",
  },
  cli_encrypt_with_file: { zh: "已用密钥文件 {path} 加密", en: "Encrypted with the key file {path}" },
  cli_encrypt_with_new_file: {
    zh: "已用新建的密钥文件 {path} 加密。没有这个文件就无法解密，请不要与配置文件放在一起保存或共享",
    en:
      "Encrypted with a new key file, {path}. Nothing can be decrypted without it. Do not store or share it together with the configuration",
  },
  cli_encrypt_with_passphrase: {
    zh: "已用 MUXUE_RAG_PASSPHRASE 中的口令加密",
    en: "Encrypted with the passphrase in MUXUE_RAG_PASSPHRASE",
  },
  cli_encrypt_done: { zh: "已加密 {path} 中的 {key}", en: "{key} in {path} is now encrypted" },
  cli_encrypt_copies: {
    zh: "备份和版本库中的旧文件仍含明文密钥。如有这样的文件，请到服务商处更换密钥",
    en:
      "Older copies of the file (backups, version control) still contain the key in plain text. If there are any, ask the provider for a new key",
  },
  cli_encrypt_already: {
    zh: "{path} 中的 {key} 已经加密，未做改动",
    en: "{key} in {path} is already encrypted. Nothing was changed",
  },
  cli_decrypt_missing: {
    zh:
      "未指明要解密什么。用法：muxue_rag config decrypt 后接 embedding.api_key、enc:v1:…，或 -（由标准输入传入）",
    en:
      "No value given. Usage: muxue_rag config decrypt with embedding.api_key, enc:v1:…, or - (to read stdin)",
  },
  cli_confirm_decrypt: {
    zh: "将在标准输出显示密钥的明文。继续吗？[y/N] ",
    en: "This prints the key in plain text to stdout. Continue? [y/N] ",
  },
} satisfies Texts;

/** Texts of the command `completions`. */
export const COMPLETIONS = {
  cli_completions_comment: {
    zh: "muxue_rag 的补全。请写入 {line}",
    en: "Completions of muxue_rag. Add to {line}",
  },
  cli_completions_missing: {
    zh: "缺少终端的名称。用法：muxue_rag completions bash、zsh、fish 或 pwsh",
    en: "No shell given. Usage: muxue_rag completions bash, zsh, fish or pwsh",
  },
  cli_completions_unknown: {
    zh: "没有 {shell} 的补全，可用的有：{shells}",
    en: "There are no completions for {shell}. The shells are: {shells}",
  },
  cli_completions_unknown_suggest: {
    zh: "没有 {shell} 的补全，是否想用 {suggestion}？",
    en: "There are no completions for {shell}. Did you mean {suggestion}?",
  },
} satisfies Texts;

/** Texts of the command line's help. */
export const HELP = {
  cli_help_usage: { zh: "用法：", en: "Usage:" },
  cli_help_arguments: { zh: "参数：", en: "Arguments:" },
  cli_help_options: { zh: "选项：", en: "Options:" },
  cli_help_commands: { zh: "命令：", en: "Commands:" },
  cli_help_options_slot: { zh: "选项", en: "options" },
  cli_help_command_slot: { zh: "命令", en: "command" },
  cli_help_program: {
    zh:
      "把一个文件夹变成 AI 助手可以检索的知识库。\n不带命令时建立或更新 --dir 的索引（只处理有变化的文件），同 index。",
    en: "Turns a folder into a knowledge base that any AI assistant can search.\n" +
      "Without a command, builds or updates the index of --dir (changed files only), like index.",
  },
  cli_help_examples: {
    zh: `示例：
  muxue_rag --dir ./docs                      建立或更新索引
  muxue_rag search "怎样备份" --dir ./docs    检索（先自动更新索引）
  muxue_rag serve --dir ./docs                供 AI 助手使用的 MCP 服务

退出码：0 完成，1 失败，2 用法或配置有误，130 被中断。`,
    en: `Examples:
  muxue_rag --dir ./docs                           build or update the index
  muxue_rag search "how to back up" --dir ./docs   update the index, search it
  muxue_rag serve --dir ./docs                     MCP server for AI assistants

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 130 interrupted.`,
  },
  cli_help_cmd_index: { zh: "建立或更新索引", en: "build or update the index" },
  cli_help_cmd_search: { zh: "更新索引，然后检索", en: "update the index, then search it" },
  cli_help_cmd_serve: {
    zh: "启动 MCP 服务（标准输入输出，或 --http）",
    en: "run the MCP server on stdin and stdout, or over HTTP",
  },
  cli_help_cmd_status: {
    zh: "查看索引的内容、时间、大小，以及失败和过期的文件",
    en: "show what is indexed, when, how large, what failed and what is out of date",
  },
  cli_help_cmd_verify: {
    zh: "检查索引是否完好、与目录是否一致",
    en: "check that the index is sound and agrees with the folder",
  },
  cli_help_cmd_doctor: {
    zh: "检查配置、向量来源、重排和索引，指出问题所在",
    en: "check the configuration, the embedding provider, the reranker and the indexes",
  },
  cli_help_cmd_reembed: {
    zh: "重建索引，并向模型重新请求全部语义向量",
    en: "rebuild the index and request every vector from the model again",
  },
  cli_reembed_without_provider: {
    zh: "embedding.provider 为 none，无法生成语义向量。请先设置向量来源",
    en: "embedding.provider is none, so there are no vectors to make. Set a provider first",
  },
  cli_help_cmd_clean: { zh: "删除索引（.muxue_rag 目录）", en: "delete the index (the .muxue_rag folder)" },
  cli_help_cmd_backup: { zh: "备份索引", en: "back up the index" },
  cli_help_cmd_restore: { zh: "用备份恢复索引", en: "restore the index from a backup" },
  cli_help_cmd_config: {
    zh: "检查或创建配置文件，加密其中的密钥",
    en: "check or create the configuration file, encrypt its keys",
  },
  cli_help_cmd_config_check: {
    zh: "检查配置，显示生效的值（密钥已遮盖）",
    en: "check the configuration and show the values in effect (secrets masked)",
  },
  cli_help_cmd_config_init: {
    zh: "写出带注释的默认配置（./config.yaml 或 --config 所指文件）",
    en: "write the commented default configuration (./config.yaml, or --config)",
  },
  cli_help_cmd_config_encrypt: {
    zh: "加密配置文件中的密钥；不带参数则加密输入的密钥，显示 enc:v1:…",
    en:
      "encrypt a key in the configuration file; without an argument, encrypt a key you type and print enc:v1:…",
  },
  cli_help_cmd_config_decrypt: {
    zh: "确认后显示密钥的明文",
    en: "print a key in plain text, after confirmation",
  },
  cli_help_arg_encrypt: {
    zh: "embedding.api_key、rerank.api_key",
    en: "embedding.api_key, rerank.api_key",
  },
  cli_help_arg_decrypt: {
    zh: "embedding.api_key、rerank.api_key、enc:v1:…，或 -（由标准输入传入）",
    en: "embedding.api_key, rerank.api_key, enc:v1:…, or - (from stdin)",
  },
  cli_help_cmd_eval: { zh: "用带标注的查询评测检索质量", en: "measure search quality with judged queries" },
  cli_help_arg_data: {
    zh: 'BEIR 格式的目录，或关于 --dir 的 JSONL 文件，每行 {"query", "files" 或 "spans"}',
    en: 'folders in BEIR layout, or JSONL files of {"query", "files" or "spans"} about --dir',
  },
  cli_help_compare: {
    zh:
      "与第一个比较，逗号分隔：keyword、semantic、hybrid、hybrid-LEG（去掉一路）、legs（逐路去掉）或配置文件",
    en:
      "compare these with the first, separated by commas: keyword, semantic, hybrid, hybrid-LEG (without that leg), legs (each left out in turn), or configuration files",
  },
  cli_help_min: {
    zh: "低于此值时退出码为 1，如 ndcg@10=0.4 或 hybrid:recall@5=0.8（ndcg、recall、mrr、hit），可多次使用",
    en:
      "exit with 1 below this value, such as ndcg@10=0.4 or hybrid:recall@5=0.8 (ndcg, recall, mrr, hit); repeatable",
  },
  cli_help_worst: {
    zh: "列出多少条最差的查询，默认 10",
    en: "how many of the worst queries to list, 10 by default",
  },
  cli_help_cmd_setup: {
    zh: "给出（--write：写入）AI 客户端的 MCP 配置；不带客户端时列出所有客户端",
    en: "print the MCP entry for a client, or write it (--write); without a client, list the clients",
  },
  cli_help_arg_client: {
    zh: "claude-desktop、claude-code、cursor、vscode、windsurf、cline、zed 或 codex",
    en: "claude-desktop, claude-code, cursor, vscode, windsurf, cline, zed or codex",
  },
  cli_help_write: {
    zh: "写入客户端的配置文件：先显示改动并确认，保留备份",
    en: "edit the client's file: show the change, ask for confirmation, keep a backup",
  },
  cli_help_project: {
    zh: "写入该项目目录的配置文件，而不是用户的",
    en: "use the configuration file of the project in that folder, not the user's",
  },
  cli_help_http: {
    zh: "通过 HTTP 提供服务，而不是标准输入输出；多个客户端共用",
    en: "serve over HTTP instead of stdin and stdout, for several clients",
  },
  cli_help_host: {
    zh: "--http 监听的 IP 地址，默认 127.0.0.1（仅本机）；其他地址需要令牌",
    en: "IP address for --http, 127.0.0.1 by default (this machine only); others need a token",
  },
  cli_help_port: {
    zh: "--http 的端口，默认 7368；0 为任意空闲端口",
    en: "port for --http, 7368 by default; 0 for any free port",
  },
  cli_help_allow_host: {
    zh: "客户端访问时可用的主机名或 主机名:端口，例如反向代理的域名；可重复",
    en: "NAME or NAME:PORT that clients may call the server by, such as a proxy's; repeatable",
  },
  cli_help_token_env: {
    zh: "存放访问令牌的环境变量名；请求须带上该令牌",
    en: "the environment variable with the token that requests must carry",
  },
  cli_help_token_env_setup: {
    zh: "客户端的环境变量名，其中存放 --url 所指服务的令牌",
    en: "the client's environment variable with the token of the server at --url",
  },
  cli_help_tls_cert: { zh: "证书文件（PEM），用于 HTTPS", en: "certificate file (PEM), for HTTPS" },
  cli_help_tls_key: { zh: "证书的私钥文件（PEM）", en: "file with the certificate's private key (PEM)" },
  cli_help_url: {
    zh: "写入 HTTP 服务的地址（serve --http），而不是启动命令",
    en: "the address of a server over HTTP (serve --http), instead of a command",
  },
  cli_help_name: { zh: "服务器的名称，默认 muxue_rag", en: "the server's name, muxue_rag by default" },
  cli_help_cmd_uninstall: {
    zh: "列出本程序在这台机器上写入的内容，确认后删除",
    en: "list what the program has written on this machine, and remove it after asking",
  },
  cli_help_remove: {
    zh: "从客户端的配置中删除本服务；不带客户端则同 uninstall",
    en: "remove the server from the client's files; without a client, same as uninstall",
  },
  cli_help_cmd_completions: {
    zh: "显示让终端补全命令和选项的脚本",
    en: "print a script with which a shell completes commands and options",
  },
  cli_help_arg_shell: { zh: "bash、zsh、fish 或 pwsh", en: "bash, zsh, fish or pwsh" },
  cli_help_cmd_licenses: {
    zh: "显示本程序及其所含软件和数据的许可证",
    en: "print the licences of the program and of the software and data in it",
  },
  cli_licenses_of_sources: {
    zh:
      "由源代码运行：npm 依赖的许可证随各软件包存放在 Deno 的缓存中（位置见 `deno info`）。编译出的可执行文件会在此一并列出。",
    en:
      "Running from source: the licences of the npm dependencies are with the packages in Deno's cache (`deno info` shows where). An executable lists them here.",
  },
  cli_help_cmd_help: { zh: "显示帮助", en: "show this help" },
  cli_help_arg_query: {
    zh: '关键词或问题；可用 "短语"、-排除词，以及 path: type: lang: after: before:',
    en: 'words or a question; also "a phrase", -without, and path: type: lang: after: before:',
  },
  cli_help_arg_dir: {
    zh: "目录，同 --dir；默认为全部集合，没有则为当前目录",
    en: "the folder, same as --dir; default: all collections, or the current folder",
  },
  cli_help_arg_dirs: { zh: "目录或集合名称，同 --dir", en: "folders or collections, same as --dir" },
  cli_help_arg_file: { zh: "备份文件", en: "the backup file" },
  cli_help_dir: { zh: "要处理的目录，或集合名称", en: "the folder to process, or a collection" },
  cli_help_dirs: {
    zh: "目录或集合名称，可多次使用；默认为全部集合，没有则为所有已索引目录",
    en: "a folder or collection, repeatable; default: all collections, or all indexed folders",
  },
  cli_help_dirs_here: {
    zh: "目录或集合名称，可多次使用；默认为当前目录所在的已索引目录，否则为全部",
    en: "a folder or collection, repeatable; default: the indexed folder you are in, else all",
  },
  cli_help_all: {
    zh: "本机处理过的所有目录",
    en: "all folders indexed on this machine",
  },
  cli_help_index_dir: {
    zh: "把索引保存在此目录中，而不是各目录的 .muxue_rag",
    en: "keep the indexes in this folder, not in .muxue_rag of each folder",
  },
  cli_help_config: { zh: "配置文件", en: "the configuration file" },
  cli_help_config_init: { zh: "要写出的文件", en: "the file to write" },
  cli_help_full: { zh: "全量重建索引", en: "rebuild the index from scratch" },
  cli_help_wait: {
    zh: "同时生成本地模型的全部向量（embedding.provider: local）",
    en: "also make all vectors of the local models (embedding.provider: local)",
  },
  cli_help_clean: { zh: "删除 --dir 的索引", en: "delete the index of --dir" },
  cli_help_backup: { zh: "备份 --dir 的索引", en: "back up the index of --dir" },
  cli_help_backup_path: { zh: "备份文件或目录", en: "the backup's file or folder" },
  cli_help_serve: { zh: "同 serve 命令", en: "same as the serve command" },
  cli_help_language: { zh: "界面语言：zh 或 en", en: "language of messages: zh or en" },
  cli_help_allow_sensitive: {
    zh: "允许处理敏感目录（如 /etc、主目录）",
    en: "allow sensitive folders (/etc, a whole home folder …)",
  },
  cli_help_yes: { zh: "对所有确认回答“是”", en: "answer yes to every question" },
  cli_help_json: { zh: "以 JSON 输出结果", en: "print the result as JSON" },
  cli_help_quiet: { zh: "不显示进度和提示", en: "show no progress and no notes" },
  cli_help_files: {
    zh: "逐个列出文件：状态、格式、页数、分片数、大小、修改时间、SHA-256、原因，以及最近的错误",
    en:
      "list every file: state, format, pages, chunks, size, time, SHA-256 and the reason, and the last errors",
  },
  cli_help_skipped: { zh: "只列出被跳过的文件", en: "list only skipped files" },
  cli_help_failed: {
    zh: "只列出无法读取的文件，包括扫描件和过大的文件",
    en: "list only files that could not be read, including scans and files over the size limit",
  },
  cli_help_deep: {
    zh: "读取每个文件，核对内容",
    en: "read every file and compare its content",
  },
  cli_help_update: {
    zh: "在后台保持各目录的索引最新（默认如此，除非配置了 index.watch: false）",
    en: "keep the indexes current in the background, as is done by default unless index.watch is false",
  },
  cli_help_update_setup: {
    zh: "客户端启动服务时带上 --update：在后台保持索引最新",
    en: "have the client start the server with --update, which keeps the indexes current",
  },
  cli_help_no_watch: {
    zh: "不监视目录，也不更新索引",
    en: "do not watch the folders or update the indexes",
  },
  cli_help_no_watch_setup: {
    zh: "客户端启动服务时带上 --no-watch：不监视目录，也不更新索引",
    en: "have the client start the server with --no-watch, which leaves the indexes as they are",
  },
  cli_help_no_update: { zh: "检索前不更新索引", en: "do not update the index before the search" },
  cli_help_top_k: { zh: "最多返回的条数", en: "maximum number of hits" },
  cli_help_mode: {
    zh: "检索方式：hybrid、keyword 或 semantic",
    en: "search mode: hybrid, keyword or semantic",
  },
  cli_help_explain: {
    zh: "解释结果的由来：每一路的名次、得分和权重，以及被舍弃的候选",
    en: "explain the results: rank, score and weight in every leg, and what was left out",
  },
  cli_help_format: {
    zh: "结果的形式：text、json（同 --json）、paths（每行一个文件路径）、md（Markdown 列表）",
    en: "form of the hits: text, json (the same as --json), paths (one path a line), md (a Markdown list)",
  },
  cli_help_full_text: {
    zh: "显示整个片段，低匹配的结果也列出",
    en: "show whole passages, and the weak hits too",
  },
  cli_help_context: {
    zh: "在最佳匹配处前后各显示 n 行（不超出片段）",
    en: "show n lines before and after the best match, within the passage",
  },
  cli_help_force: {
    zh: "覆盖已有文件",
    en: "overwrite an existing file",
  },
  cli_help_force_setup: {
    zh: "即使客户端似乎没有安装也写入",
    en: "write even if the client seems not to be installed",
  },
  cli_help_force_restore: {
    zh: "不再询问：替换已有的索引，像是另一个目录的备份也恢复",
    en: "do not ask: replace an existing index, and restore even a backup of another folder",
  },
  cli_help_help: { zh: "显示帮助", en: "show help" },
  cli_help_version: { zh: "显示版本和运行时", en: "show the version and the runtime" },
} satisfies Texts;
