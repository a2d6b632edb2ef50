/** The configuration: finding the file, problems in it, secrets and the keys that encrypt them. */
import type { Texts } from "./texts.ts";

export const CONFIG = {
  // Texts about finding the configuration and the problems in it.
  config_invalid: [
    "配置有误，共 {count} 处：\n{problems}",
    "The configuration has {count} {count|problem|problems}:\n{problems}",
  ],
  config_more_problems: ["…… 另有 {count} 处", "… and {count} more"],
  config_file_not_found: [
    "配置文件 {path} 不存在。请检查 --config 或 MUXUE_RAG_CONFIG",
    "The configuration file {path} does not exist. Check --config or MUXUE_RAG_CONFIG",
  ],
  config_file_unreadable: [
    "无法读取配置文件 {path}：{reason}",
    "Cannot read the configuration file {path}: {reason}",
  ],
  config_file_is_directory: ["{path} 是目录，不是配置文件", "{path} is a folder, not a configuration file"],
  config_file_not_regular: [
    "{path} 不是普通文件（可能是管道或设备），不能用作配置文件",
    "{path} is not a regular file (it may be a pipe or a device), so it cannot be the configuration file",
  ],
  config_file_not_utf8: [
    "配置文件 {path} 不是 UTF-8 编码。请另存为 UTF-8",
    "The configuration file {path} is not UTF-8. Save it as UTF-8",
  ],
  config_file_too_large: [
    "配置文件 {path} 过大，上限为 {limit} 字节",
    "The configuration file {path} is too large; the limit is {limit} bytes",
  ],
  config_file_foreign: [
    "{path} 中没有本程序的配置项，已忽略。如确实要用，请用 --config 指定",
    "{path} contains no setting of this program and was ignored. To use it, name it with --config",
  ],
  config_file_within: [
    "{path} 在被索引的目录 {dir} 之内，可能出自他人，已忽略。如确实要用，请用 --config 指定",
    "{path} is inside the indexed folder {dir} and may come from someone else, so it was ignored. To use it, name it with --config",
  ],
  config_file_user_within: [
    "您的配置文件 {path} 在被索引的目录 {dir} 之内：它仍然有效，但能写入该目录的人都能改变它。请移到别处，并用 MUXUE_RAG_CONFIG_DIR 指定新的配置目录",
    "Your configuration {path} is inside the indexed folder {dir}. It stays in effect, but anyone who can write to that folder can change it. Move it, and set MUXUE_RAG_CONFIG_DIR to its new folder",
  ],
  config_file_not_named: [
    "已忽略 {path}：serve 的当前目录由 MCP 客户端决定，其中的配置文件可能出自他人。如确实要用，请用 --config 指定",
    "{path} was ignored: the MCP client chooses the working folder of serve, so a file there may come from someone else. To use it, name it with --config",
  ],
  config_unnamed_server: [
    "{path} 未经指定，只是在当前目录中找到，却设定了服务器 {address}（{key}）。如确实要用，请用 --config {path} 指定",
    "{path} was not named but only found in the working folder, and it sets the server {address} ({key}). If you want this, name it with --config {path}",
  ],
  config_unnamed_setting: [
    "{path} 未经指定，只是在当前目录中找到，却设定了 {key}（{value}）。如确实要用，请用 --config {path} 指定",
    "{path} was not named but only found in the working folder, and it sets {key} ({value}). If you want this, name it with --config {path}",
  ],
  config_unnamed_remote: [
    "会把文字发送到 {address}；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    "would send texts to {address}, which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  ],
  config_unnamed_collector: [
    "会把追踪记录发送到 {address}；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    "would send traces to {address}, which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  ],
  config_unnamed_store: [
    "会决定索引保存在哪个数据库；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    "would decide which database the indexes are kept in, which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  ],
  config_unnamed_sensitive: [
    "会开放敏感目录（{value}）；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    "would open sensitive folders ({value}), which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  ],
  config_unnamed_secret: [
    "会把环境变量 {name} 的值发送到同一文件设定的地址 {address}；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    "would send the value of the environment variable {name} to {address}, an address from the same file, which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  ],
  config_problem: ["{place} {key}：{text}", "{place} {key}: {text}"],
  config_file_problem: ["{place} {text}", "{place} {text}"],
  config_mismatch: ["应为{expected}，实为{found}", "expected {expected}, found {found}"],
  config_unknown_key: ["未知的配置项，此处可用：{known}", "unknown key; the known keys are {known}"],
  config_unknown_key_suggest: [
    "未知的配置项，是否想用 {suggestion}？",
    "unknown key; did you mean {suggestion}?",
  ],
  config_unknown_variable: [
    "未知的环境变量，名称应为 MUXUE_RAG_<节>_<配置项>",
    "unknown variable; names have the form MUXUE_RAG_<SECTION>_<KEY>",
  ],
  config_unknown_variable_suggest: [
    "未知的环境变量，是否想用 {suggestion}？",
    "unknown variable; did you mean {suggestion}?",
  ],
  config_removed_leg: [
    "{leg} 已被移除，不再起作用；从 search.legs 中删去即可",
    "{leg} was removed and has no effect; delete it from search.legs",
  ],
  config_duplicate_key: [
    "重复的配置项，第一次出现在第 {line} 行",
    "duplicate key; it first appears in line {line}",
  ],
  config_variable_missing: [
    "引用的环境变量 {name} 没有设置",
    "refers to the environment variable {name}, which is not set",
  ],
  config_variable_malformed: [
    "env: 后面应为环境变量的名称",
    "env: must be followed by the name of an environment variable",
  ],
  config_file_unwritable: [
    "无法写入配置文件 {path}：{reason}。文件未改动",
    "Cannot write the configuration file {path}: {reason}. The file is unchanged",
  ],
  config_file_changed: [
    "{path} 刚刚被其他程序改动，因此未写入。请再试一次",
    "{path} was just changed by another program, so nothing was written. Try again",
  ],
  config_alias_unresolved: ["别名没有对应的锚点", "alias without an anchor before it"],
  config_alias_too_many: ["别名过多，上限为 {limit} 个", "too many aliases; the limit is {limit}"],
  config_yaml_tab: [
    "语法错误：缩进不能用制表符，请用空格",
    "syntax error: a tab in the indentation; use spaces",
  ],
  config_yaml_indent: ["语法错误：缩进不一致", "syntax error: inconsistent indentation"],
  config_yaml_unclosed: ["语法错误：引号或括号没有闭合", "syntax error: a quote or bracket is not closed"],
  config_yaml_colon: [
    "语法错误：键名后面应有冒号和空格",
    "syntax error: a key must be followed by a colon and a space",
  ],
  config_yaml_nested: [
    "语法错误：此处不能再有冒号，含冒号的文本请加引号",
    "syntax error: unexpected colon; put a text that contains a colon in quotes",
  ],
  config_yaml_start: [
    "语法错误：以保留字符开头的文本要加引号",
    "syntax error: a text that begins with a reserved character must be in quotes",
  ],
  config_yaml_escape: [
    "语法错误：双引号中的转义无效，Windows 路径请用单引号",
    "syntax error: invalid escape in double quotes; put Windows paths in single quotes",
  ],
  config_yaml_documents: ["语法错误：只能有一个文档", "syntax error: more than one document"],
  config_yaml_depth: ["语法错误：嵌套过深", "syntax error: nested too deeply"],
  config_yaml_other: ["语法错误（{code}）", "syntax error ({code})"],
  config_json_syntax: [
    "JSON 语法错误：应为{expected}，实为{found}",
    "JSON syntax error: expected {expected}, found {found}",
  ],
  config_json_value: ["值", "a value"],
  config_json_key: ["双引号中的键名", "a key in double quotes"],
  config_json_colon: ["冒号", "a colon"],
  config_json_comma: ["逗号或右括号", "a comma or a closing bracket"],
  config_json_brace: ["逗号或 }", "a comma or }"],
  config_json_bracket: ["逗号或 ]", "a comma or ]"],
  config_json_digit: ["数字", "a digit"],
  config_json_end: ["文件结尾", "the end of the file"],
  config_json_symbol: [
    "JSON 语法错误：此处不能有{found}；JSON 只有双引号中的文本、数字、true、false 和 null，没有注释",
    "JSON syntax error: {found} cannot stand here; JSON has texts in double quotes, numbers, true, false and null, and no comments",
  ],
  config_json_escape: [
    "JSON 语法错误：双引号中的转义无效，反斜杠应写成 \\\\",
    "JSON syntax error: invalid escape in double quotes; write a backslash as \\\\",
  ],
  config_json_control: [
    "JSON 语法错误：双引号中不能有制表符等控制字符，请写成 \\t 等转义",
    "JSON syntax error: control character (such as a tab) in double quotes; write it as an escape (\\t)",
  ],
  config_expect_integer: [" {min} 到 {max} 之间的整数", "a whole number from {min} to {max}"],
  config_expect_number: [" {min} 到 {max} 之间的数", "a number from {min} to {max}"],
  config_expect_auto_or_integer: [
    " auto 或 {min} 到 {max} 之间的整数",
    "auto or a whole number from {min} to {max}",
  ],
  config_expect_choice: ["以下之一：{choices}", "one of {choices}"],
  config_expect_choices: ["列表，各项为以下之一：{choices}", "a list of any of {choices}"],
  config_expect_tasks: [
    "集合的 tasks 只能从 llm.tasks 中选取：{choices}",
    "tasks of llm.tasks, which a collection can only narrow: {choices}",
  ],
  config_expect_boolean: [" true 或 false", "true or false"],
  config_expect_text: ["文本", "text"],
  config_expect_url: [
    "以 http:// 或 https:// 开头且主机名有效的地址",
    "an address that begins with http:// or https:// and names a valid host",
  ],
  config_expect_database_url: [
    " postgres://用户@主机:端口/数据库 形式的地址，不含密码（密码写入 store.password）",
    "an address such as postgres://user@host:5432/database without a password, which belongs into store.password",
  ],
  config_expect_database_urls: [
    " postgres://用户@主机:端口/数据库 形式的地址的列表，不含密码，最多 64 个",
    "a list of at most 64 addresses such as postgres://user@host:5432/database without passwords",
  ],
  config_expect_distinct_urls: [
    "互不相同的数据库地址，因为每个文件只在其中一个里",
    "different addresses, because each file is in one of the databases",
  ],
  config_expect_no_readers: [
    "空列表：只有一个数据库（store.url）时才能使用副本",
    "an empty list, because replicas are used with one database alone (store.url)",
  ],
  config_expect_schema: [
    "模式的名称：小写字母、数字和下划线，不以数字或 pg_ 开头",
    "the name of a schema: lower-case letters, digits and underscores, not beginning with a digit or pg_",
  ],
  config_expect_https: [
    "以 https:// 开头的地址，因为服务器在其他机器上",
    "an address that begins with https://, because the server is on another machine",
  ],
  config_expect_verify: [
    " true，因为其他机器上的数据库必须验证证书",
    "true, because the certificate of a database on another machine must be checked",
  ],
  config_expect_model: ["ONNX 文件或其目录的路径", "the path of an ONNX file or of its folder"],
  config_expect_path: ["目录路径", "a folder path"],
  config_expect_texts: ["文本列表", "a list of texts"],
  config_expect_access: [
    "{levels: [public], tags: {any: […], all: […], none: […]}, missing: exclude} 中的若干项",
    "some of {levels: [public], tags: {any: […], all: […], none: […]}, missing: exclude}",
  ],
  config_expect_tokens: [
    "列表，每项为 {env: 环境变量名, levels: […], tags: {…}, missing: exclude}",
    "a list of {env: VARIABLE, levels: […], tags: {…}, missing: exclude}",
  ],
  config_expect_synonyms: [
    "同义词组的列表，如 [[k8s, kubernetes], [电脑, 计算机]]",
    "a list of groups of synonyms, such as [[k8s, kubernetes], [car, automobile]]",
  ],
  config_expect_synonym_group: [
    "至少两个词的列表，如 [k8s, kubernetes]",
    "a list of at least two words, such as [k8s, kubernetes]",
  ],
  config_expect_false_or_paths: [" false 或目录路径的列表", "false or a list of folder paths"],
  config_expect_one_or_some: [
    "以下之一：{whole}；或列表，各项为以下之一：{choices}",
    "one of {whole}, or a list of any of {choices}",
  ],
  config_expect_encoding: [
    " auto 或已知的编码名称（如 utf-8、gb18030、big5）",
    "auto or a known encoding (such as utf-8, gb18030, big5)",
  ],
  config_expect_section: ["一组配置项（键: 值）", "a group of settings (key: value)"],
  config_expect_overlap: [
    "小于 max_chars 一半（{limit}）的整数",
    "a whole number less than half of max_chars ({limit})",
  ],
  config_expect_for_provider: [
    "{expected}（provider 为 {provider} 时必填）",
    "{expected} (required for provider {provider})",
  ],
  config_found_nothing: ["空", "nothing"],
  config_found_list: ["列表", "a list"],
  config_found_mapping: ["一组配置项", "a group of settings"],
  config_found_hidden: ["（已隐藏的值）", "(a hidden value)"],
  config_found_plain: [" {value}", "{value}"],
  log_unwritable: [
    "无法写入日志目录 {path}，本次运行不记日志：{reason}",
    "Cannot write to the log folder {path}, so this run keeps no log: {reason}",
  ],
  log_unsafe: [
    "日志 {path} 不是普通的文件或目录（可能是链接、有第二个名字的文件，或刚被替换），本次运行不记日志。请将其移走，或把 log.dir 设为其他目录",
    "The log {path} is not a regular file or folder (it is a link, a file with a second name, or was just replaced), so this run keeps no log. Move it away, or set log.dir to another folder",
  ],
  log_no_folder: [
    "找不到用户的状态目录，本次运行不记日志。可用 MUXUE_RAG_STATE_DIR 指定",
    "The user's state folder is unknown, so this run keeps no log. Set it with MUXUE_RAG_STATE_DIR",
  ],
  // Texts about the secrets in a configuration and the keys that encrypt them.
  config_plain_secret: [
    "{place} {key}：密钥以明文写在文件中。可用 muxue_rag config encrypt {key} 加密，或改用 env:变量名",
    "{place} {key}: the file contains this secret in plain text. Encrypt it with muxue_rag config encrypt {key}, or use env:NAME",
  ],
  config_plain_address: [
    "{place} {key}：地址中含有明文密钥。建议改用 env:变量名",
    "{place} {key}: the address contains a secret in plain text. Use env:NAME instead",
  ],
  config_encrypted_elsewhere: [
    "只有 api_key、password 和 headers 的值可以加密（enc:v1:…），此处请用 env:变量名",
    "only an api_key, a password and headers can be encrypted (enc:v1:…); use env:NAME here",
  ],
  config_secret_version: [
    "无法识别的加密格式，本程序只认 enc:v1:…",
    "unknown encryption format; this program only reads enc:v1:…",
  ],
  config_secret_malformed: [
    "加密的值不完整或已损坏。请检查是否完整复制，或用 muxue_rag config encrypt 重新加密",
    "the encrypted value is incomplete or damaged. Check that it was copied completely, or encrypt the key again with muxue_rag config encrypt",
  ],
  config_secret_iterations: [
    "加密的值要求 {count} 次口令迭代，超出 1 到 {limit} 的范围，已拒绝",
    "the encrypted value asks for {count} passphrase iterations, which is outside the range from 1 to {limit}, so it is refused",
  ],
  config_secret_changed: [
    "加密的值在加密之后被改动过，已拒绝。请用 muxue_rag config encrypt 重新加密",
    "the encrypted value was changed after it was encrypted, so it is refused. Encrypt the key again with muxue_rag config encrypt",
  ],
  config_secret_other_key_file: [
    "此值不是用密钥文件 {path} 加密的。请放回当时的密钥文件，或用 muxue_rag config encrypt 重新加密",
    "this value was not encrypted with the key file {path}. Put back the key file it was encrypted with, or encrypt the key again with muxue_rag config encrypt",
  ],
  config_secret_other_passphrase: [
    "MUXUE_RAG_PASSPHRASE 中的口令不是加密此值时的口令。请设为当时的口令，或用 muxue_rag config encrypt 重新加密",
    "the passphrase in MUXUE_RAG_PASSPHRASE is not the one this value was encrypted with. Set the right one, or encrypt the key again with muxue_rag config encrypt",
  ],
  config_passphrase_missing: [
    "此值是用口令加密的。请设置环境变量 MUXUE_RAG_PASSPHRASE",
    "this value was encrypted with a passphrase. Set the environment variable MUXUE_RAG_PASSPHRASE",
  ],
  config_passphrase_short: [
    "MUXUE_RAG_PASSPHRASE 中的口令太短，至少要 {min} 个字符。可以用几个不相干的词",
    "The passphrase in MUXUE_RAG_PASSPHRASE is too short. Use at least {min} characters, for example a few unrelated words",
  ],
  config_key_folder_unknown: [
    "找不到用户的配置目录，因此没有密钥文件。请用 MUXUE_RAG_CONFIG_DIR 指定该目录，或设置 MUXUE_RAG_PASSPHRASE",
    "the user's configuration folder, which contains the key file, is unknown. Set it with MUXUE_RAG_CONFIG_DIR, or set MUXUE_RAG_PASSPHRASE",
  ],
  config_key_file_missing: [
    "解密所需的密钥文件 {path} 不存在。请从加密时的机器复制过来，或用 muxue_rag config encrypt 重新加密",
    "the key file {path}, which is needed to decrypt this value, does not exist. Copy it from the machine where the value was encrypted, or encrypt the key again with muxue_rag config encrypt",
  ],
  config_key_file_link: [
    "密钥文件 {path} 是链接，未使用。请换成文件本身",
    "the key file {path} is a link, which is not followed. Replace it with the file itself",
  ],
  config_key_file_not_regular: [
    "{path} 不是普通文件，不能用作密钥文件",
    "{path} is not a regular file, so it cannot be the key file",
  ],
  config_key_file_size: [
    "密钥文件 {path} 已损坏：有 {size} 个字节，应为 {expected} 个。请恢复备份；没有备份则删除它并重新加密",
    "the key file {path} is damaged: it has {size} bytes instead of {expected}. Restore it from a backup, or delete it and encrypt again",
  ],
  config_key_file_loose: [
    '密钥文件 {path} 可被其他用户访问（权限 {mode}），未使用。请运行 chmod 600 "{path}"',
    'the key file {path} is open to other users (mode {mode}), so it is not used. Run chmod 600 "{path}"',
  ],
  config_key_file_unreadable: [
    "无法读取密钥文件 {path}：{reason}",
    "cannot read the key file {path}: {reason}",
  ],
  config_key_file_unwritable: [
    "无法创建密钥文件 {path}：{reason}",
    "cannot create the key file {path}: {reason}",
  ],
  index_key_damaged: [
    "{path}（本程序用来识别自己所建索引的密钥）已损坏：有 {size} 个字节，应为 {expected} 个。请恢复备份；没有备份则删除它，各目录的索引会在下次处理时重建",
    "{path}, the key by which this installation recognizes its indexes, is damaged: it has {size} bytes instead of {expected}. Restore it from a backup, or delete it; each index is then rebuilt by its next run",
  ],
  index_key_unreadable: [
    "无法读取 {path}（本程序用来识别自己所建索引的密钥）：{reason}。请检查它的权限",
    "Cannot read {path}, the key by which this installation recognizes its indexes: {reason}. Check its permissions",
  ],
  index_key_unwritable: [
    "无法创建 {path}（本程序用来识别自己所建索引的密钥）：{reason}。请检查状态目录的权限，或用 MUXUE_RAG_STATE_DIR 另行指定",
    "Cannot create {path}, the key by which this installation recognizes its indexes: {reason}. Check the permissions of the state folder, or set another one with MUXUE_RAG_STATE_DIR",
  ],
  secret_empty: ["密钥为空", "The key is empty"],
  secret_encrypted_already: [
    "输入的值已经加密（enc:…）。请输入密钥本身",
    "This value is already encrypted (enc:…). Enter the key itself",
  ],
  secret_not_one_line: [
    "密钥只能是一行文字，不能含换行或控制字符",
    "A key must be one line of text, without line breaks or control characters",
  ],
  secret_too_long: ["密钥过长，上限为 {limit} 字节", "The key is too long; the limit is {limit} bytes"],
  secret_no_file: [
    "没有找到配置文件。请用 --config 指定，或先运行 muxue_rag config init",
    "No configuration file was found. Name one with --config, or create one with muxue_rag config init",
  ],
  secret_not_in_file: [
    "{path} 中没有 {key} 的值。请运行不带参数的 muxue_rag config encrypt，把得到的 enc:v1:… 写到该处",
    "{path} contains no value for {key}. Run muxue_rag config encrypt without an argument, and write the enc:v1:… that it prints there",
  ],
  secret_is_reference: [
    "{place} {key}：值引用了环境变量，文件中没有可加密的密钥",
    "{place} {key}: the value refers to an environment variable, so the file contains no key to encrypt",
  ],
  secret_not_by_itself: [
    "{place} {key}：无法就地加密。请把值直接写在键名后面，不用别名、不换行",
    "{place} {key}: cannot be encrypted in place. Write the value directly after its name, on one line and without an alias",
  ],
  secret_not_encrypted: ["{place} {key}：值没有加密", "{place} {key}: the value is not encrypted"],
} satisfies Texts;
