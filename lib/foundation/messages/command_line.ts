/** The command line: errors, notes and questions of all commands, their help, and the scripts that complete command lines. */
import type { Texts } from "./texts.ts";

export const COMMAND_LINE = {
  // Texts of the command line.
  cli_error: ["错误：{text}", "Error: {text}"],
  cli_internal_error: ["程序内部错误：{detail}", "Internal error: {detail}"],
  cli_internal_error_logged: [
    "程序内部错误：{detail}。详情见日志",
    "Internal error: {detail}. See the log for details",
  ],
  cli_done: ["完成", "Done"],
  cli_see_help: ["用法见 {command}", "For usage, run {command}"],
  cli_stopped_first: [
    "已停止，还没有建立索引。再次运行同一命令即可建立",
    "Stopped. There is no index yet. Run the command again to build it",
  ],
  cli_stopped: ["已停止，原有索引保持不变", "Stopped. The existing index is unchanged"],
  cli_system_error: [
    "系统报错：{detail}。请检查磁盘、权限和系统限制（如打开文件数），然后重试",
    "The system reported an error: {detail}. Check the disk, the permissions and the system limits (such as the number of open files), then try again",
  ],
  cli_runtime_variable: [
    "设置了环境变量 {name}：运行时在程序启动之前就会使用它（写出加密连接的密钥，或连接它指定的套接字），程序无法阻止。请取消设置",
    "The environment variable {name} is set. The runtime uses it before the program starts (to write the keys of encrypted connections, or to connect to the socket it names), and the program cannot prevent that. Unset it",
  ],
  cli_names_hidden: [
    "运行时 Deno {deno} 看不到名称不是有效 UTF-8 的文件和文件夹，因此它们既不会被索引，也不会列出",
    "The runtime, Deno {deno}, cannot see files and folders whose names are not valid UTF-8, so they are neither indexed nor listed",
  ],
  cli_interrupted: ["已停止", "Stopped"],
  cli_unknown_option: ["未知选项 {flag}", "Unknown option {flag}"],
  cli_unknown_option_suggest: [
    "未知选项 {flag}，是否想用 {suggestion}？",
    "Unknown option {flag}. Did you mean {suggestion}?",
  ],
  cli_option_not_here: [
    "选项 {flag} 不能用于 {command}，只用于 {commands}",
    "Option {flag} cannot be used with {command}, only with {commands}",
  ],
  cli_option_no_value: ["选项 {flag} 不带取值", "Option {flag} takes no value"],
  cli_option_value_missing: ["选项 {flag} 缺少取值", "Option {flag} needs a value"],
  cli_option_needs: [
    "选项 {flag} 要与 {other} 一起使用",
    "Option {flag} can only be used together with {other}",
  ],
  cli_option_conflict: [
    "选项 {flag} 与 {other} 不能同时使用",
    "Options {flag} and {other} cannot be used together",
  ],
  cli_bad_choice: [
    "选项 {flag} 的取值 {value} 无效，可用的取值：{choices}",
    "Invalid value {value} for {flag}. Use one of: {choices}",
  ],
  cli_bad_number: [
    "选项 {flag} 的取值 {value} 无效，应为 {min} 到 {max} 之间的整数",
    "Invalid value {value} for {flag}. Use a whole number from {min} to {max}",
  ],
  cli_unknown_command: [
    "未知命令 {name}，可用的命令：{commands}",
    "Unknown command {name}. The commands are: {commands}",
  ],
  cli_group_incomplete: [
    "{name} 后面要写具体的命令：{commands}",
    "{name} needs one of its commands: {commands}",
  ],
  cli_unknown_command_suggest: [
    "未知命令 {name}，是否想用 {suggestion}？",
    "Unknown command {name}. Did you mean {suggestion}?",
  ],
  cli_bare_directory: ["请用 --dir 指定目录：{command}", "Use --dir to name a folder: {command}"],
  cli_too_many_arguments: [
    "{command} 的参数过多：{arguments}",
    "Too many arguments for {command}: {arguments}",
  ],
  cli_query_missing: [
    "缺少检索内容。用法：muxue_rag search 关键词或问题",
    "No query given. Usage: muxue_rag search WORDS OR A QUESTION",
  ],
  cli_answer_missing: [
    "缺少要核对的回答。用法：muxue_rag check-answer 回答、文件或 -（标准输入）",
    "No answer given. Usage: muxue_rag check-answer ANSWER, a file, or - (stdin)",
  ],
  cli_input_too_long: [
    "标准输入过长，上限为 {limit} 个字符",
    "The input is too long; the limit is {limit} characters",
  ],
  cli_query_too_long: [
    "检索内容过长：{length} 个字符，上限为 {limit} 个字符。请缩短",
    "The query is too long: {length} characters; the limit is {limit}. Shorten it",
  ],
  cli_backup_file_missing: [
    "缺少备份文件。用法：muxue_rag restore 备份文件 --dir 目录",
    "No backup file given. Usage: muxue_rag restore FILE --dir DIR",
  ],
  cli_import_file_missing: [
    "缺少要导入的文件。用法：muxue_rag import 文件 --dir 目录",
    "No file to import given. Usage: muxue_rag import FILE --dir DIR",
  ],
  cli_export_terminal: [
    "不能把导出的数据写到终端。请用管道或重定向，或用 --to 指定文件",
    "An export is not written to a terminal. Pipe or redirect it, or name a file with --to",
  ],
  cli_import_terminal: [
    "标准输入是终端。请用管道传入，或指定文件",
    "Stdin is a terminal. Pipe an export into it, or name a file",
  ],
  cli_export_default_place: [
    "将导出到 {path}（可用 --to 指定其他位置）",
    "Exporting to {path} (--to names another place)",
  ],
  cli_exporting: ["导出 {dir}", "Exporting {dir}"],
  cli_importing: ["导入到 {dir}", "Importing to {dir}"],
  cli_exported: ["已把 {dir} 导出到 {path}（{size}）：{text}", "Exported {dir} to {path} ({size}): {text}"],
  cli_exported_pipe: ["已导出 {dir}（{size}）：{text}", "Exported {dir} ({size}): {text}"],
  cli_imported: ["已导入到 {dir}：{text}", "Imported to {dir}: {text}"],
  cli_transferred: [
    "{files} 个文件，{chunks} 个分片，{vectors} 个模型向量，{recognised} 份识别的文字，{generated} 个语言模型的结果，{evaluations} 次评测",
    "{files} {files|file|files}, {chunks} {chunks|chunk|chunks}, {vectors} {vectors|vector|vectors} of models, {recognised} recognised {recognised|text|texts}, {generated} {generated|result|results} of language models, {evaluations} {evaluations|evaluation|evaluations}",
  ],
  cli_import_few_files: [
    "其中 {files} 个文件只有 {present} 个在 {dir} 中，下次更新会从索引中去掉其余的文件",
    "Only {present} of its {files} {files|file|files} are in {dir}; the next update removes the others from the index",
  ],
  cli_confirm_import_few: ["{text}。仍要导入吗？[y/N] ", "{text}. Import it all the same? [y/N] "],
  cli_import_needs_force: [
    "{text}。未做任何改动。如确定要导入，请加 --force",
    "{text}. Nothing was changed. To import it all the same, add --force",
  ],
  cli_confirm_import: [
    "{dir} 已有索引，将被 {path} 替换。继续吗？[y/N] ",
    "{dir} already has an index. {path} will replace it. Continue? [y/N] ",
  ],
  cli_backup_file_not_found: ["备份文件 {path} 不存在", "The backup file {path} does not exist"],
  cli_dir_missing: ["未指定目录。请用 --dir 指定", "No folder given. Name it with --dir"],
  cli_one_dir_only: [
    "一次只能处理一个目录。请只用一个 --dir",
    "Only one folder can be processed at a time. Use --dir once",
  ],
  cli_dir_error: ["{text}：{dir}", "{text}: {dir}"],
  cli_dir_error_suggest: [
    "{text}：{dir}。是否指 {suggestion}？",
    "{text}: {dir}. Did you mean {suggestion}?",
  ],
  cli_dir_error_unknown: [
    "{text}：{dir}。要查看已索引的目录，请运行：muxue_rag status --all",
    "{text}: {dir}. To list the indexed folders, run: muxue_rag status --all",
  ],
  cli_dir_error_file: [
    "{text}：{dir}。请改用文件所在的目录：{parent}",
    "{text}: {dir}. Name a folder, for a file the one it is in: {parent}",
  ],
  cli_dir_gone: ["已跳过目录 {dir}：{text}", "Skipped the folder {dir}: {text}"],
  cli_dir_left_out: ["已跳过：{text}", "Skipped: {text}"],
  cli_index_unusable: ["目录 {dir} 的索引无法使用：{text}", "The index of {dir} cannot be used: {text}"],
  cli_update_failed: [
    "目录 {dir} 的索引未能更新，按现有索引检索：{text}",
    "The index of {dir} could not be updated, so the existing index was searched: {text}",
  ],
  cli_output_full: ["输出不完整：磁盘空间不足", "The output is incomplete: the disk is full"],
  cli_updated: [
    "{dir} 的索引已更新：新增 {new}，修改 {changed}，改名 {renamed}，删除 {removed}",
    "Updated the index of {dir}: {new} new, {changed} changed, {renamed} renamed, {removed} removed",
  ],
  cli_confirm_clean: [
    "将删除 {dir} 的索引（{path}），源文件不受影响。继续吗？[y/N] ",
    "This deletes the index of {dir} ({path}). Your files are not touched. Continue? [y/N] ",
  ],
  cli_confirm_clean_shared: [
    "将删除 {path}，即 {dir} 的索引；所有使用它的机器都会失去它。源文件不受影响。继续吗？[y/N] ",
    "This deletes {path}, the index of {dir}, for all machines that use it. No files are touched. Continue? [y/N] ",
  ],
  cli_confirm_restore: [
    "{dir} 已有索引，将被备份 {path} 替换。继续吗？[y/N] ",
    "{dir} already has an index. The backup {path} will replace it. Continue? [y/N] ",
  ],
  cli_backup_default_place: [
    "将备份到 {path}（可用 --backup-path 指定其他位置）",
    "Backing up to {path} (--backup-path names another place)",
  ],
  cli_confirm_backup_folder: [
    "目录 {folder} 不存在。要新建吗？[y/N] ",
    "The folder {folder} does not exist. Create it? [y/N] ",
  ],
  cli_backup_folder_missing: [
    "目录 {folder} 不存在，未做任何改动。如要新建，请加 --yes",
    "The folder {folder} does not exist, so nothing was changed. To create it, add --yes",
  ],
  cli_confirm_needed: [
    "没有终端可供确认，未做任何改动。如确定要执行，请加 --yes",
    "There is no terminal to ask for confirmation, so nothing was changed. To confirm, add --yes",
  ],
  cli_no_state_dir: [
    "找不到用户的状态目录。请用环境变量 MUXUE_RAG_STATE_DIR 指定",
    "The user's state folder is unknown. Set it with the environment variable MUXUE_RAG_STATE_DIR",
  ],
  cli_declined: ["已取消，未做任何改动", "Cancelled. Nothing was changed"],
  cli_cleaned: ["已删除索引：{dir}", "Index deleted: {dir}"],
  cli_nothing_to_clean: ["没有可删除的索引：{dir}", "No index to delete: {dir}"],
  cli_backed_up: ["已备份到 {path}（{size}）", "Backed up to {path} ({size})"],
  cli_backup_of_others: [
    "备份中的 {files} 个文件只有 {present} 个在 {dir} 中，这可能是另一个目录的备份",
    "Only {present} of the {files} {files|file|files} in the backup are in {dir}. It may be the backup of another folder",
  ],
  cli_backup_made_for: ["这是 {from} 的备份，不是 {dir} 的", "This is a backup of {from}, not of {dir}"],
  cli_confirm_restore_other: [
    "{text}。仍要用它作为 {dir} 的索引吗？[y/N] ",
    "{text}. Make it the index of {dir} all the same? [y/N] ",
  ],
  cli_restore_needs_force: [
    "{text}。未做任何改动。如确定要恢复，请加 --force",
    "{text}. Nothing was changed. To restore it all the same, add --force",
  ],
  cli_restored_moved: [
    "这是 {from} 的备份，检索之前需要逐个核对文件内容。请运行 muxue_rag --dir {dir!}{-c}",
    "This is a backup of {from}. Before it can be searched, every file must be compared with it. Run muxue_rag --dir {dir!}{-c}",
  ],
  cli_index_missing_hint: [
    "{path} 尚未建立索引。请运行：muxue_rag --dir {path!}{-c}",
    "{path} has no index yet. Run: muxue_rag --dir {path!}{-c}",
  ],
  cli_index_damaged_hint: [
    "{path} 的索引不可用（{problem}）。要重建，请运行：muxue_rag --dir {path!}{-c}",
    "The index of {path} cannot be used ({problem}). To rebuild it, run: muxue_rag --dir {path!}{-c}",
  ],
  cli_restored: [
    "已恢复索引：{dir}（{files} 个文件，{chunks} 个分片）",
    "Index restored: {dir} ({files} {files|file|files}, {chunks} {chunks|chunk|chunks})",
  ],
  cli_config_ok: ["配置有效，来源：{source}", "The configuration is valid. Source: {source}"],
  cli_configuration: ["配置：{text}", "Configuration: {text}"],
  cli_configuration_how: ["{path}（{how}）", "{path} ({how})"],
  cli_configuration_option: ["--config", "--config"],
  cli_configuration_variable: ["MUXUE_RAG_CONFIG", "MUXUE_RAG_CONFIG"],
  cli_configuration_user: ["您的配置目录", "your configuration folder"],
  cli_configuration_cwd: [
    "当前目录，未经指定：对 {dir} 之外的目录，只能收紧读取哪些文件的规则",
    "working folder, not named: outside {dir} it can only tighten the rules about which files are read",
  ],
  cli_configuration_loosens: [
    "{path} 的 {keys} 对 {dir} 不起作用：该文件未经指定，而此目录在它所在的目录之外。如确实要用，请用 --config {path} 指定",
    "{keys} in {path} has no effect on {dir}: the file was not named, and this folder is outside the file's own. If you want this, name it with --config {path}",
  ],
  cli_config_builtin: ["内置默认值", "the built-in defaults"],
  cli_config_written: ["已写入默认配置：{path}", "Default configuration written: {path}"],
  cli_config_exists: [
    "{path} 已存在，未覆盖。如要覆盖，请加 --force",
    "{path} already exists and was not changed. To overwrite it, add --force",
  ],
  cli_config_no_folder: [
    "目录 {folder} 不存在，无法写入 {path}。请先创建该目录，或换一个路径",
    "The folder {folder} does not exist, so {path} cannot be written. Create the folder, or choose another path",
  ],
  cli_config_unwritable: [
    "无法写入 {path}：{reason}。请检查权限，或用 --config 换一个路径",
    "Cannot write {path}: {reason}. Check the permissions, or choose another path with --config",
  ],
  cli_secret_prompt: ["密钥（输入时不显示）：", "Key (not shown while you type): "],
  cli_secret_read: ["已读入 {count} 个字符", "{count} characters read"],
  cli_encrypt_argument: [
    "config encrypt 后面只能写 {keys} 之一。不要把密钥本身写在命令行上：它会留在终端的历史记录里，其他进程也能看到。请不带参数运行，再输入密钥，或由标准输入传入",
    "config encrypt accepts only these names: {keys}. Do not put the key itself on the command line, where it stays in the shell history and other processes can see it. Run the command without an argument and type the key, or pass it on stdin",
  ],
  cli_encrypt_with_file: ["已用密钥文件 {path} 加密", "Encrypted with the key file {path}"],
  cli_encrypt_with_new_file: [
    "已用新建的密钥文件 {path} 加密。没有这个文件就无法解密，请不要与配置文件放在一起保存或共享",
    "Encrypted with a new key file, {path}. Nothing can be decrypted without it. Do not store or share it together with the configuration",
  ],
  cli_encrypt_with_passphrase: [
    "已用 MUXUE_RAG_PASSPHRASE 中的口令加密",
    "Encrypted with the passphrase in MUXUE_RAG_PASSPHRASE",
  ],
  cli_encrypt_done: ["已加密 {path} 中的 {key}", "{key} in {path} is now encrypted"],
  cli_encrypt_copies: [
    "备份和版本库中的旧文件仍含明文密钥。如有这样的文件，请到服务商处更换密钥",
    "Older copies of the file (backups, version control) still contain the key in plain text. If there are any, ask the provider for a new key",
  ],
  cli_encrypt_already: [
    "{path} 中的 {key} 已经加密，未做改动",
    "{key} in {path} is already encrypted. Nothing was changed",
  ],
  cli_decrypt_missing: [
    "未指明要解密什么。用法：muxue_rag config decrypt 后接 embedding.api_key、enc:v1:…，或 -（由标准输入传入）",
    "No value given. Usage: muxue_rag config decrypt with embedding.api_key, enc:v1:…, or - (to read stdin)",
  ],
  cli_confirm_decrypt: [
    "将在标准输出显示密钥的明文。继续吗？[y/N] ",
    "This prints the key in plain text to stdout. Continue? [y/N] ",
  ],
  // Texts of the command `completions`.
  cli_completions_comment: ["muxue_rag 的补全。请写入 {line}", "Completions of muxue_rag. Add to {line}"],
  cli_completions_missing: [
    "缺少终端的名称。用法：muxue_rag completions bash、zsh、fish 或 pwsh",
    "No shell given. Usage: muxue_rag completions bash, zsh, fish or pwsh",
  ],
  cli_completions_unknown: [
    "没有 {shell} 的补全，可用的有：{shells}",
    "There are no completions for {shell}. The shells are: {shells}",
  ],
  cli_completions_unknown_suggest: [
    "没有 {shell} 的补全，是否想用 {suggestion}？",
    "There are no completions for {shell}. Did you mean {suggestion}?",
  ],
  // Texts of the command line's help.
  cli_help_usage: ["用法：", "Usage:"],
  cli_help_arguments: ["参数：", "Arguments:"],
  cli_help_options: ["选项：", "Options:"],
  cli_help_commands: ["命令：", "Commands:"],
  cli_help_options_slot: ["选项", "options"],
  cli_help_command_slot: ["命令", "command"],
  cli_help_program: [
    "把一个文件夹变成 AI 助手可以检索的知识库。\n不带命令时建立或更新 --dir 的索引（只处理有变化的文件），同 index。",
    "Turns a folder into a knowledge base that any AI assistant can search.\n" +
    "Without a command, builds or updates the index of --dir (changed files only), like index.",
  ],
  cli_help_examples: [
    `示例：
  muxue_rag --dir ./docs                      建立或更新索引
  muxue_rag search "怎样备份" --dir ./docs    检索（先自动更新索引）
  muxue_rag serve --dir ./docs                供 AI 助手使用的 MCP 服务

退出码：0 完成，1 失败，2 用法或配置有误，130 被中断。`,
    `Examples:
  muxue_rag --dir ./docs                           build or update the index
  muxue_rag search "how to back up" --dir ./docs   update the index, search it
  muxue_rag serve --dir ./docs                     MCP server for AI assistants

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 130 interrupted.`,
  ],
  cli_help_cmd_index: ["建立或更新索引", "build or update the index"],
  cli_help_cmd_preview: [
    "建立索引之前查看：会读取什么、大约需要多少时间和空间、哪些可能是机密",
    "show what index would read, about how long it takes, and what may be secret",
  ],
  cli_help_cmd_search: ["更新索引，然后检索", "update the index, then search it"],
  cli_help_cmd_serve: [
    "启动 MCP 服务（标准输入输出，或 --http）",
    "run the MCP server on stdin and stdout, or over HTTP",
  ],
  cli_help_cmd_status: [
    "查看索引的内容、时间、大小，以及失败和过期的文件",
    "show what is indexed, when, how large, what failed and what is out of date",
  ],
  cli_help_cmd_verify: [
    "检查索引是否完好、与目录是否一致",
    "check that the index is sound and agrees with the folder",
  ],
  cli_help_cmd_doctor: [
    "检查配置、向量来源、重排、语言模型和索引，指出问题所在",
    "check the configuration, the embedding provider, the reranker, the language models and the indexes",
  ],
  cli_help_cmd_reembed: [
    "重建索引，并向模型重新请求全部语义向量",
    "rebuild the index and request every vector from the model again",
  ],
  cli_reembed_without_provider: [
    "embedding.provider 为 none，无法生成语义向量。请先设置向量来源",
    "embedding.provider is none, so there are no vectors to make. Set a provider first",
  ],
  cli_help_cmd_clean: ["删除索引（.muxue_rag 目录）", "delete the index (the .muxue_rag folder)"],
  cli_help_cmd_backup: ["备份索引", "back up the index"],
  cli_help_cmd_restore: ["用备份恢复索引", "restore the index from a backup"],
  cli_help_cmd_export: [
    "把一个文件夹的索引及相关数据导出为文件，供另一台机器或另一种存储使用",
    "write all that is kept about a folder to a file, for another machine or store",
  ],
  cli_help_cmd_import: [
    "用 export 导出的数据替换目录的索引（只导入可信的数据）",
    "replace the index of a folder by an export; only from a source that you trust",
  ],
  cli_help_arg_import: ["export 导出的文件；- 为标准输入", "the file of export; - for stdin"],
  cli_help_cmd_config: [
    "检查或创建配置文件，加密其中的密钥",
    "check or create the configuration file, encrypt its keys",
  ],
  cli_help_cmd_config_check: [
    "检查配置，显示生效的值（密钥已遮盖）",
    "check the configuration and show the values in effect (secrets masked)",
  ],
  cli_help_cmd_config_init: [
    "写出带注释的默认配置（./config.yaml 或 --config 所指文件）",
    "write the commented default configuration (./config.yaml, or --config)",
  ],
  cli_help_cmd_config_encrypt: [
    "加密配置文件中的密钥；不带参数则加密输入的密钥，显示 enc:v1:…",
    "encrypt a key in the configuration file; without an argument, encrypt a key you type and print enc:v1:…",
  ],
  cli_help_cmd_config_decrypt: ["确认后显示密钥的明文", "print a key in plain text, after confirmation"],
  cli_help_arg_encrypt: [
    "embedding.api_key、rerank.api_key、llm.api_key、vision_llm.api_key、store.password、vectors.api_key、observability.otlp.headers",
    "embedding.api_key, rerank.api_key, llm.api_key, vision_llm.api_key, store.password, vectors.api_key, observability.otlp.headers",
  ],
  cli_help_arg_decrypt: [
    "embedding.api_key、rerank.api_key、llm.api_key、vision_llm.api_key、store.password、vectors.api_key、observability.otlp.headers、enc:v1:…，或 -（由标准输入传入）",
    "embedding.api_key, rerank.api_key, llm.api_key, vision_llm.api_key, store.password, vectors.api_key, observability.otlp.headers, enc:v1:…, or - (from stdin)",
  ],
  cli_help_cmd_ask: [
    "由语言模型根据文档回答，每句都与文档核对",
    "let a language model answer from the documents, each sentence checked against them",
  ],
  cli_help_arg_question: [
    "问题；在终端中不写问题则连续提问",
    "the question; on a terminal, without one, questions are asked one after the other",
  ],
  cli_help_earlier: [
    "之前的问题，本问题接着它，可多次使用",
    "an earlier question that this one follows on from; repeatable",
  ],
  cli_help_cmd_check_answer: [
    "逐句核对一段回答与文档，不需要模型",
    "check an answer against the documents, sentence by sentence, without a model",
  ],
  cli_help_arg_answer: ["回答、含有回答的文件，或 -（标准输入）", "the answer, a file with it, or - (stdin)"],
  cli_help_question: [
    "按此问题检索片段，默认用回答本身检索",
    "search for passages with this question instead of the answer itself",
  ],
  cli_help_passages: [
    "与此文件核对，不检索，可多次使用",
    "check against this file instead of searching; repeatable",
  ],
  cli_help_cmd_eval: ["评测检索和回答的质量", "measure the quality of searches and answers"],
  cli_help_arg_data: [
    'JSONL 文件，每行 {"question", "files" 或 "spans"}（关于 --dir）、{"question", "answer", "passages", "reference"} 或 {"claim", "passages", "label"}；或 BEIR 格式的目录',
    'JSONL files of {"question", "files" or "spans"} about --dir, {"question", "answer", "passages", "reference"}, or {"claim", "passages", "label"}; or folders in BEIR layout',
  ],
  cli_help_compare: [
    "与第一个比较，逗号分隔：keyword、semantic、hybrid、hybrid-LEG（去掉一路）、legs（逐路去掉）或配置文件",
    "compare these with the first, separated by commas: keyword, semantic, hybrid, hybrid-LEG (without that leg), legs (each left out in turn), or configuration files",
  ],
  cli_help_min: [
    "低于此值时退出码为 1，如 ndcg@10=0.4 或 hybrid:recall@5=0.8（ndcg、recall、mrr、hit；回答：faithfulness、answer_relevancy、context_precision、context_recall、answer_correctness；陈述：auc、accuracy、precision、recall），可多次使用",
    "exit with 1 below this value, such as ndcg@10=0.4 or hybrid:recall@5=0.8 (ndcg, recall, mrr, hit; for answers faithfulness, answer_relevancy, context_precision, context_recall, answer_correctness; for claims auc, accuracy, precision, recall); repeatable",
  ],
  cli_help_evaluator: [
    "再用这个命令评测回答：标准输入和标准输出均为每行一个 JSON（见手册 evaluating.md），不经过 shell",
    "measure the answers with this command as well: JSON lines on its stdin and stdout (evaluating.md of the guide), without a shell",
  ],
  cli_help_baseline: [
    "与评测记录比较：记录名、last（最近一次）或记录文件；显著变差时退出码为 1",
    "compare with a run that was kept: its name, last, or its file; exit with 1 if a figure is significantly worse",
  ],
  cli_help_cmd_eval_draft: [
    "从目录的文字中拟出问题，每行一个 JSON；人工采纳后用于 eval",
    "propose questions from the text of a folder, one JSON object per line, for a person to accept",
  ],
  cli_help_cmd_eval_history: ["列出保存的评测记录", "list the runs of eval that are kept"],
  cli_help_worst: ["列出多少条最差的查询，默认 10", "how many of the worst queries to list, 10 by default"],
  cli_help_cmd_setup: [
    "给出（--write：写入并检验）AI 客户端的 MCP 配置；不带客户端时列出所有客户端，在终端中逐个询问是否写入已安装的客户端",
    "print the MCP entry for a client, or write and check it (--write); without a client, list the clients, and at a terminal ask for each installed one",
  ],
  cli_help_arg_client: [
    "客户端的标识，如 cursor；不带客户端的 setup 列出全部",
    "id of a client, such as cursor; setup without one lists them all",
  ],
  cli_help_write: [
    "写入客户端的配置文件：先显示改动并确认，保留备份",
    "edit the client's file: show the change, ask for confirmation, keep a backup",
  ],
  cli_help_project: [
    "写入该项目目录的配置文件，而不是用户的",
    "use the configuration file of the project in that folder, not the user's",
  ],
  cli_help_http: [
    "通过 HTTP 提供服务，而不是标准输入输出；多个客户端共用",
    "serve over HTTP instead of stdin and stdout, for several clients",
  ],
  cli_help_host: [
    "--http 监听的 IP 地址，默认 127.0.0.1（仅本机）；其他地址需要令牌",
    "IP address for --http, 127.0.0.1 by default (this machine only); others need a token",
  ],
  cli_help_port: [
    "--http 的端口，默认 7368；0 为任意空闲端口",
    "port for --http, 7368 by default; 0 for any free port",
  ],
  cli_help_allow_host: [
    "客户端访问时可用的主机名或 主机名:端口，例如反向代理的域名；可重复",
    "NAME or NAME:PORT that clients may call the server by, such as a proxy's; repeatable",
  ],
  cli_help_token_env: [
    "存放访问令牌的环境变量名；请求须带上该令牌",
    "the environment variable with the token that requests must carry",
  ],
  cli_help_token_env_setup: [
    "客户端的环境变量名，其中存放 --url 所指服务的令牌",
    "the client's environment variable with the token of the server at --url",
  ],
  cli_help_tls_cert: ["证书文件（PEM），用于 HTTPS", "certificate file (PEM), for HTTPS"],
  cli_help_tls_key: ["证书的私钥文件（PEM）", "file with the certificate's private key (PEM)"],
  cli_help_url: [
    "写入 HTTP 服务的地址（serve --http），而不是启动命令",
    "the address of a server over HTTP (serve --http), instead of a command",
  ],
  cli_help_name: ["服务器的名称，默认 muxue_rag", "the server's name, muxue_rag by default"],
  cli_help_cmd_uninstall: [
    "列出本程序在这台机器上写入的内容，确认后删除",
    "list what the program has written on this machine, and remove it after asking",
  ],
  cli_help_dry_run: ["显示将要做的改动，不写入", "show the changes, and write nothing"],
  cli_help_remove: [
    "从客户端的配置中删除本服务；不带客户端则同 uninstall",
    "remove the server from the client's files; without a client, same as uninstall",
  ],
  cli_help_cmd_update: [
    "查询是否有新版本（--check）；不安装任何东西。更新索引用 index",
    "ask whether there is a newer version (--check); it installs nothing. To update an index, use index",
  ],
  cli_help_check: [
    "向 updates.url 的页面查询最新版本",
    "ask the page of updates.url for the newest version",
  ],
  cli_update_check_missing: [
    "muxue_rag 不会更新自己。要查询是否有新版本，请运行：muxue_rag update --check。要更新索引，请运行：muxue_rag index",
    "muxue_rag does not update itself. To ask whether there is a newer version, run: muxue_rag update --check. To update an index, run: muxue_rag index",
  ],
  cli_update_no_page: [
    "没有配置查询新版本的页面，未连接任何服务器。请设置 updates.url，如 https://api.github.com/repos/OWNER/NAME/releases/latest，或一次发布的 SHA256SUMS 的地址",
    "No page to ask for a newer version is configured, and nothing was connected to. Set updates.url, for example to https://api.github.com/repos/OWNER/NAME/releases/latest or to the address of the SHA256SUMS of a release",
  ],
  cli_update_newer: [
    "有新版本 {latest}（当前为 {version}，来自 {host}）。请用安装本程序时的方式安装它",
    "There is a newer version, {latest} (this is {version}; asked {host}). Install it in the way that you installed this one",
  ],
  cli_update_current: [
    "没有更新的版本：当前为 {version}，{host} 上为 {latest}",
    "There is no newer version: this is {version}, and {host} has {latest}",
  ],
  cli_update_not_understood: [
    "{host} 的页面中没有 muxue_rag 的版本。updates.url 应指向含 tag_name 或 version 的 JSON，或一次发布的 SHA256SUMS",
    "The page of {host} names no version of muxue_rag. updates.url must lead to JSON with tag_name or version, or to the SHA256SUMS of a release",
  ],
  cli_update_status: [
    "{host} 没有给出页面（HTTP {status}）。请检查 updates.url",
    "{host} did not give the page (HTTP {status}). Check updates.url",
  ],
  cli_update_redirected: [
    "{host} 重定向到 {to}，这是另一个服务器，未跟随。请在 updates.url 中写最终的地址",
    "{host} redirects to {to}, which is another server. The redirect was not followed. Set updates.url to the final address",
  ],
  cli_update_too_large: [
    "{host} 的页面超过 {limit} MB，未读完。请检查 updates.url",
    "The page of {host} is larger than {limit} MB and was not read to its end. Check updates.url",
  ],
  cli_help_cmd_completions: [
    "显示让终端补全命令和选项的脚本",
    "print a script with which a shell completes commands and options",
  ],
  cli_help_arg_shell: ["bash、zsh、fish 或 pwsh", "bash, zsh, fish or pwsh"],
  cli_help_cmd_licenses: [
    "显示本程序及其所含软件和数据的许可证",
    "print the licences of the program and of the software and data in it",
  ],
  cli_licenses_of_sources: [
    "由源代码运行：npm 依赖的许可证随各软件包存放在 Deno 的缓存中（位置见 `deno info`）。编译出的可执行文件会在此一并列出。",
    "Running from source: the licences of the npm dependencies are with the packages in Deno's cache (`deno info` shows where). An executable lists them here.",
  ],
  cli_help_cmd_help: ["显示帮助", "show this help"],
  cli_help_arg_query: [
    '关键词或问题；可用 "短语"、-排除词、AND OR NOT，以及 path: type: lang: tag: author: after: before:',
    'words or a question; also "a phrase", -without, AND OR NOT, and path: type: lang: tag: author: after: before:',
  ],
  cli_help_arg_dir: [
    "目录，同 --dir；默认为全部集合，没有则为当前目录",
    "the folder, same as --dir; default: all collections, or the current folder",
  ],
  cli_help_arg_dirs: ["目录或集合名称，同 --dir", "folders or collections, same as --dir"],
  cli_help_arg_file: ["备份文件", "the backup file"],
  cli_help_dir: ["要处理的目录，或集合名称", "the folder to process, or a collection"],
  cli_help_collection: ["按名称指定集合，可多次使用", "a collection by its name, repeatable"],
  cli_help_dirs: [
    "目录或集合名称，可多次使用；默认为全部集合，没有则为所有已索引目录",
    "a folder or collection, repeatable; default: all collections, or all indexed folders",
  ],
  cli_help_dirs_here: [
    "目录或集合名称，可多次使用；默认为当前目录所在的已索引目录，否则为全部",
    "a folder or collection, repeatable; default: the indexed folder you are in, else all",
  ],
  cli_help_all: ["本机处理过的所有目录", "all folders indexed on this machine"],
  cli_help_index_dir: [
    "把索引保存在此目录中，而不是各目录的 .muxue_rag",
    "keep the indexes in this folder, not in .muxue_rag of each folder",
  ],
  cli_help_config: ["配置文件", "the configuration file"],
  cli_help_config_init: ["要写出的文件", "the file to write"],
  cli_help_full: ["全量重建索引", "rebuild the index from scratch"],
  cli_help_estimate: [
    "只估计要发送给语言模型的内容：主机、请求数、词元数、图片数、价格；不发送",
    "only estimate what would be sent to language models: host, requests, tokens, pictures, price; send nothing",
  ],
  cli_help_consent: [
    "同意把这些目录的文字发送到配置中的这台语言模型主机；none：全部撤回",
    "agree that texts of these folders are sent to this host of a language model; none: take all consents back",
  ],
  cli_help_wait: [
    "同时生成本地模型的全部向量（embedding.provider: local）",
    "also make all vectors of the local models (embedding.provider: local)",
  ],
  cli_help_clean: ["删除 --dir 的索引", "delete the index of --dir"],
  cli_help_backup: ["备份 --dir 的索引", "back up the index of --dir"],
  cli_help_backup_path: ["备份文件或目录", "the backup's file or folder"],
  cli_help_serve: ["同 serve 命令", "same as the serve command"],
  cli_help_language: ["界面语言：zh 或 en", "language of messages: zh or en"],
  cli_help_allow_sensitive: [
    "允许处理敏感目录（如 /etc、主目录）",
    "allow sensitive folders (/etc, a whole home folder …)",
  ],
  cli_help_yes: ["对所有确认回答“是”", "answer yes to every question"],
  cli_help_json: ["以 JSON 输出结果", "print the result as JSON"],
  cli_help_quiet: ["不显示进度和提示", "show no progress and no notes"],
  cli_help_files: [
    "逐个列出文件：状态、格式、页数、分片数、大小、修改时间、SHA-256、原因，以及最近的错误",
    "list every file: state, format, pages, chunks, size, time, SHA-256 and the reason, and the last errors",
  ],
  cli_help_skipped: ["只列出被跳过的文件", "list only skipped files"],
  cli_help_failed: [
    "只列出无法读取的文件，包括扫描件和过大的文件",
    "list only files that could not be read, including scans and files over the size limit",
  ],
  cli_help_facets: [
    "另按标签、作者、类型、年份和文件夹统计文档",
    "also count the documents by tag, author, type, year and folder",
  ],
  cli_help_deep: ["读取每个文件，核对内容", "read every file and compare its content"],
  cli_help_update: [
    "在后台保持各目录的索引最新（默认如此，除非配置了 index.watch: false）",
    "keep the indexes current in the background, as is done by default unless index.watch is false",
  ],
  cli_help_update_setup: [
    "客户端启动服务时带上 --update：在后台保持索引最新",
    "have the client start the server with --update, which keeps the indexes current",
  ],
  cli_help_no_watch: ["不监视目录，也不更新索引", "do not watch the folders or update the indexes"],
  cli_help_no_watch_setup: [
    "客户端启动服务时带上 --no-watch：不监视目录，也不更新索引",
    "have the client start the server with --no-watch, which leaves the indexes as they are",
  ],
  cli_help_no_update: ["检索前不更新索引", "do not update the index before the search"],
  cli_help_top_k: ["最多返回的条数", "maximum number of hits"],
  cli_help_mode: ["检索方式：hybrid、keyword 或 semantic", "search mode: hybrid, keyword or semantic"],
  cli_help_filter: [
    '按元数据过滤，写成 JSON，可重复：\'{"tags": {"any": ["budget"]}}\'',
    'filter by metadata, as JSON, repeatable: \'{"tags": {"any": ["budget"]}}\'',
  ],
  cli_help_explain: [
    "解释结果的由来：每一路的名次、得分和权重，以及被舍弃的候选",
    "explain the results: rank, score and weight in every leg, and what was left out",
  ],
  cli_help_format: [
    "结果的形式：text、json（同 --json）、paths（每行一个文件路径）、md（Markdown 列表）",
    "form of the hits: text, json (the same as --json), paths (one path a line), md (a Markdown list)",
  ],
  cli_help_full_text: ["显示整个片段，低匹配的结果也列出", "show whole passages, and the weak hits too"],
  cli_help_context: [
    "在最佳匹配处前后各显示 n 行（不超出片段）",
    "show n lines before and after the best match, within the passage",
  ],
  cli_help_force: ["覆盖已有文件", "overwrite an existing file"],
  cli_help_force_setup: [
    "即使客户端似乎没有安装也写入",
    "write even if the client seems not to be installed",
  ],
  cli_help_to: ["导出的文件或目录；- 为标准输出", "the exported file or its folder; - for stdout"],
  cli_help_force_import: [
    "不再询问：替换已有的索引，即使它更新，或文件不在本机",
    "do not ask: replace an existing index, even a newer one, or where most of the files are elsewhere",
  ],
  cli_help_force_restore: [
    "不再询问：替换已有的索引，像是另一个目录的备份也恢复",
    "do not ask: replace an existing index, and restore even a backup of another folder",
  ],
  cli_help_help: ["显示帮助", "show help"],
  cli_help_version: ["显示版本和运行时", "show the version and the runtime"],
} satisfies Texts;
