import type { Texts } from "./texts.ts";

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
