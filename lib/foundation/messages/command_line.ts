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
