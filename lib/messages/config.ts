import type { Texts } from "./texts.ts";

/** Texts about finding the configuration and the problems in it. */
export const CONFIG = {
  config_invalid: {
    zh: "配置有误，共 {count} 处：\n{problems}",
    en: "The configuration has {count} {count|problem|problems}:\n{problems}",
  },
  config_more_problems: { zh: "…… 另有 {count} 处", en: "… and {count} more" },
  config_file_not_found: {
    zh: "配置文件 {path} 不存在。请检查 --config 或 MUXUE_RAG_CONFIG",
    en: "The configuration file {path} does not exist. Check --config or MUXUE_RAG_CONFIG",
  },
  config_file_unreadable: {
    zh: "无法读取配置文件 {path}：{reason}",
    en: "Cannot read the configuration file {path}: {reason}",
  },
  config_file_is_directory: {
    zh: "{path} 是目录，不是配置文件",
    en: "{path} is a folder, not a configuration file",
  },
  config_file_not_regular: {
    zh: "{path} 不是普通文件（可能是管道或设备），不能用作配置文件",
    en: "{path} is not a regular file (it may be a pipe or a device), so it cannot be the configuration file",
  },
  config_file_not_utf8: {
    zh: "配置文件 {path} 不是 UTF-8 编码。请另存为 UTF-8",
    en: "The configuration file {path} is not UTF-8. Save it as UTF-8",
  },
  config_file_too_large: {
    zh: "配置文件 {path} 过大，上限为 {limit} 字节",
    en: "The configuration file {path} is too large; the limit is {limit} bytes",
  },
  config_file_foreign: {
    zh: "{path} 中没有本程序的配置项，已忽略。如确实要用，请用 --config 指定",
    en: "{path} contains no setting of this program and was ignored. To use it, name it with --config",
  },
  config_file_within: {
    zh: "{path} 在被索引的目录 {dir} 之内，可能出自他人，已忽略。如确实要用，请用 --config 指定",
    en:
      "{path} is inside the indexed folder {dir} and may come from someone else, so it was ignored. To use it, name it with --config",
  },
  config_file_user_within: {
    zh:
      "您的配置文件 {path} 在被索引的目录 {dir} 之内：它仍然有效，但能写入该目录的人都能改变它。请移到别处，并用 MUXUE_RAG_CONFIG_DIR 指定新的配置目录",
    en:
      "Your configuration {path} is inside the indexed folder {dir}. It stays in effect, but anyone who can write to that folder can change it. Move it, and set MUXUE_RAG_CONFIG_DIR to its new folder",
  },
  config_file_not_named: {
    zh:
      "已忽略 {path}：serve 的当前目录由 MCP 客户端决定，其中的配置文件可能出自他人。如确实要用，请用 --config 指定",
    en:
      "{path} was ignored: the MCP client chooses the working folder of serve, so a file there may come from someone else. To use it, name it with --config",
  },
  config_unnamed_server: {
    zh:
      "{path} 未经指定，只是在当前目录中找到，却设定了服务器 {address}（{key}）。如确实要用，请用 --config {path} 指定",
    en:
      "{path} was not named but only found in the working folder, and it sets the server {address} ({key}). If you want this, name it with --config {path}",
  },
  config_unnamed_setting: {
    zh:
      "{path} 未经指定，只是在当前目录中找到，却设定了 {key}（{value}）。如确实要用，请用 --config {path} 指定",
    en:
      "{path} was not named but only found in the working folder, and it sets {key} ({value}). If you want this, name it with --config {path}",
  },
  config_unnamed_remote: {
    zh:
      "会把文字发送到 {address}；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    en:
      "would send texts to {address}, which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  },
  config_unnamed_sensitive: {
    zh:
      "会开放敏感目录（{value}）；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    en:
      "would open sensitive folders ({value}), which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  },
  config_unnamed_secret: {
    zh:
      "会把环境变量 {name} 的值发送到同一文件设定的地址 {address}；未经指定、只是在当前目录中找到的文件不得如此。如确实要用，请用 --config {path} 指定",
    en:
      "would send the value of the environment variable {name} to {address}, an address from the same file, which a file that was only found in the working folder must not do. If you want this, name it with --config {path}",
  },
  config_problem: { zh: "{place} {key}：{text}", en: "{place} {key}: {text}" },
  config_file_problem: { zh: "{place} {text}", en: "{place} {text}" },
  config_mismatch: { zh: "应为{expected}，实为{found}", en: "expected {expected}, found {found}" },
  config_unknown_key: {
    zh: "未知的配置项，此处可用：{known}",
    en: "unknown key; the known keys are {known}",
  },
  config_unknown_key_suggest: {
    zh: "未知的配置项，是否想用 {suggestion}？",
    en: "unknown key; did you mean {suggestion}?",
  },
  config_unknown_variable: {
    zh: "未知的环境变量，名称应为 MUXUE_RAG_<节>_<配置项>",
    en: "unknown variable; names have the form MUXUE_RAG_<SECTION>_<KEY>",
  },
  config_unknown_variable_suggest: {
    zh: "未知的环境变量，是否想用 {suggestion}？",
    en: "unknown variable; did you mean {suggestion}?",
  },
  config_unused_section: {
    zh: "llm 一节没有作用，可以删去",
    en: "the section llm has no effect and may be removed",
  },
  config_duplicate_key: {
    zh: "重复的配置项，第一次出现在第 {line} 行",
    en: "duplicate key; it first appears in line {line}",
  },
  config_variable_missing: {
    zh: "引用的环境变量 {name} 没有设置",
    en: "refers to the environment variable {name}, which is not set",
  },
  config_variable_malformed: {
    zh: "env: 后面应为环境变量的名称",
    en: "env: must be followed by the name of an environment variable",
  },
  config_file_unwritable: {
    zh: "无法写入配置文件 {path}：{reason}。文件未改动",
    en: "Cannot write the configuration file {path}: {reason}. The file is unchanged",
  },
  config_file_changed: {
    zh: "{path} 刚刚被其他程序改动，因此未写入。请再试一次",
    en: "{path} was just changed by another program, so nothing was written. Try again",
  },
  config_alias_unresolved: { zh: "别名没有对应的锚点", en: "alias without an anchor before it" },
  config_alias_too_many: { zh: "别名过多，上限为 {limit} 个", en: "too many aliases; the limit is {limit}" },
  config_yaml_tab: {
    zh: "语法错误：缩进不能用制表符，请用空格",
    en: "syntax error: a tab in the indentation; use spaces",
  },
  config_yaml_indent: { zh: "语法错误：缩进不一致", en: "syntax error: inconsistent indentation" },
  config_yaml_unclosed: {
    zh: "语法错误：引号或括号没有闭合",
    en: "syntax error: a quote or bracket is not closed",
  },
  config_yaml_colon: {
    zh: "语法错误：键名后面应有冒号和空格",
    en: "syntax error: a key must be followed by a colon and a space",
  },
  config_yaml_nested: {
    zh: "语法错误：此处不能再有冒号，含冒号的文本请加引号",
    en: "syntax error: unexpected colon; put a text that contains a colon in quotes",
  },
  config_yaml_start: {
    zh: "语法错误：以保留字符开头的文本要加引号",
    en: "syntax error: a text that begins with a reserved character must be in quotes",
  },
  config_yaml_escape: {
    zh: "语法错误：双引号中的转义无效，Windows 路径请用单引号",
    en: "syntax error: invalid escape in double quotes; put Windows paths in single quotes",
  },
  config_yaml_documents: { zh: "语法错误：只能有一个文档", en: "syntax error: more than one document" },
  config_yaml_depth: { zh: "语法错误：嵌套过深", en: "syntax error: nested too deeply" },
  config_yaml_other: { zh: "语法错误（{code}）", en: "syntax error ({code})" },
  config_json_syntax: {
    zh: "JSON 语法错误：应为{expected}，实为{found}",
    en: "JSON syntax error: expected {expected}, found {found}",
  },
  config_json_value: { zh: "值", en: "a value" },
  config_json_key: { zh: "双引号中的键名", en: "a key in double quotes" },
  config_json_colon: { zh: "冒号", en: "a colon" },
  config_json_comma: { zh: "逗号或右括号", en: "a comma or a closing bracket" },
  config_json_brace: { zh: "逗号或 }", en: "a comma or }" },
  config_json_bracket: { zh: "逗号或 ]", en: "a comma or ]" },
  config_json_digit: { zh: "数字", en: "a digit" },
  config_json_end: { zh: "文件结尾", en: "the end of the file" },
  config_json_symbol: {
    zh: "JSON 语法错误：此处不能有{found}；JSON 只有双引号中的文本、数字、true、false 和 null，没有注释",
    en:
      "JSON syntax error: {found} cannot stand here; JSON has texts in double quotes, numbers, true, false and null, and no comments",
  },
  config_json_escape: {
    zh: "JSON 语法错误：双引号中的转义无效，反斜杠应写成 \\\\",
    en: "JSON syntax error: invalid escape in double quotes; write a backslash as \\\\",
  },
  config_json_control: {
    zh: "JSON 语法错误：双引号中不能有制表符等控制字符，请写成 \\t 等转义",
    en: "JSON syntax error: control character (such as a tab) in double quotes; write it as an escape (\\t)",
  },
  config_expect_integer: { zh: " {min} 到 {max} 之间的整数", en: "a whole number from {min} to {max}" },
  config_expect_number: { zh: " {min} 到 {max} 之间的数", en: "a number from {min} to {max}" },
  config_expect_auto_or_integer: {
    zh: " auto 或 {min} 到 {max} 之间的整数",
    en: "auto or a whole number from {min} to {max}",
  },
  config_expect_choice: { zh: "以下之一：{choices}", en: "one of {choices}" },
  config_expect_choices: { zh: "列表，各项为以下之一：{choices}", en: "a list of any of {choices}" },
  config_expect_boolean: { zh: " true 或 false", en: "true or false" },
  config_expect_text: { zh: "文本", en: "text" },
  config_expect_url: {
    zh: "以 http:// 或 https:// 开头且主机名有效的地址",
    en: "an address that begins with http:// or https:// and names a valid host",
  },
  config_expect_model: { zh: "ONNX 文件或其目录的路径", en: "the path of an ONNX file or of its folder" },
  config_expect_path: { zh: "目录路径", en: "a folder path" },
  config_expect_texts: { zh: "文本列表", en: "a list of texts" },
  config_expect_synonyms: {
    zh: "同义词组的列表，如 [[k8s, kubernetes], [电脑, 计算机]]",
    en: "a list of groups of synonyms, such as [[k8s, kubernetes], [car, automobile]]",
  },
  config_expect_synonym_group: {
    zh: "至少两个词的列表，如 [k8s, kubernetes]",
    en: "a list of at least two words, such as [k8s, kubernetes]",
  },
  config_expect_false_or_paths: { zh: " false 或目录路径的列表", en: "false or a list of folder paths" },
  config_expect_one_or_some: {
    zh: "以下之一：{whole}；或列表，各项为以下之一：{choices}",
    en: "one of {whole}, or a list of any of {choices}",
  },
  config_expect_encoding: {
    zh: " auto 或已知的编码名称（如 utf-8、gb18030、big5）",
    en: "auto or a known encoding (such as utf-8, gb18030, big5)",
  },
  config_expect_section: { zh: "一组配置项（键: 值）", en: "a group of settings (key: value)" },
  config_expect_overlap: {
    zh: "小于 max_chars 一半（{limit}）的整数",
    en: "a whole number less than half of max_chars ({limit})",
  },
  config_expect_for_provider: {
    zh: "{expected}（provider 为 {provider} 时必填）",
    en: "{expected} (required for provider {provider})",
  },
  config_found_nothing: { zh: "空", en: "nothing" },
  config_found_list: { zh: "列表", en: "a list" },
  config_found_mapping: { zh: "一组配置项", en: "a group of settings" },
  config_found_hidden: { zh: "（已隐藏的值）", en: "(a hidden value)" },
  config_found_plain: { zh: " {value}", en: "{value}" },
  log_unwritable: {
    zh: "无法写入日志目录 {path}，本次运行不记日志：{reason}",
    en: "Cannot write to the log folder {path}, so this run keeps no log: {reason}",
  },
  log_unsafe: {
    zh:
      "日志 {path} 不是普通的文件或目录（可能是链接、有第二个名字的文件，或刚被替换），本次运行不记日志。请将其移走，或把 log.dir 设为其他目录",
    en:
      "The log {path} is not a regular file or folder (it is a link, a file with a second name, or was just replaced), so this run keeps no log. Move it away, or set log.dir to another folder",
  },
  log_no_folder: {
    zh: "找不到用户的状态目录，本次运行不记日志。可用 MUXUE_RAG_STATE_DIR 指定",
    en: "The user's state folder is unknown, so this run keeps no log. Set it with MUXUE_RAG_STATE_DIR",
  },
} satisfies Texts;
