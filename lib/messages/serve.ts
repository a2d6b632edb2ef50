import type { Texts } from "./texts.ts";

/** Texts of the command `serve`: where it listens, and what it cannot do for a folder. */
export const SERVE = {
  cli_serve_at_terminal: {
    zh: `这是 MCP 服务（目录数：{count}），由 AI 客户端启动，通过标准输入输出通信；按 Ctrl-C 结束
要接入客户端，请运行：muxue_rag setup`,
    en:
      `This is the MCP server ({count} {count|folder|folders}). An AI client starts it and speaks to it on standard input; Ctrl-C ends it
To connect a client, run: muxue_rag setup`,
  },
  cli_serve_http: {
    zh: `MCP 服务已启动：{url}（目录数：{count}），按 Ctrl-C 结束
在客户端中添加类型为 http（streamable HTTP）的服务器，地址如上。例如 Claude Code：{command}`,
    en: `The MCP server listens on {url} ({count} {count|folder|folders}). Ctrl-C ends it
In the client, add a server of the type http (streamable HTTP) with this address. In Claude Code: {command}`,
  },
  cli_serve_http_token: {
    zh: `访问令牌（只显示这一次，重启后失效）：{token}
请求须带上请求头 Authorization: Bearer 令牌。要使用固定的令牌，请用 --token-env`,
    en: `Token (shown only once, and valid until the server ends): {token}
Requests must carry the header Authorization: Bearer TOKEN. To keep a token, use --token-env`,
  },
  cli_serve_http_plain: {
    zh:
      "其他机器可以访问 {url}，但连接未加密，令牌和内容可能被窃听。请使用 --tls-cert 和 --tls-key，或在前面放置提供 HTTPS 的代理",
    en:
      "Other machines can reach {url}, and the connection is not encrypted: the token and the texts can be read on the way. Use --tls-cert and --tls-key, or a proxy with HTTPS",
  },
  cli_bad_host: {
    zh: "--host {host} 不是 IP 地址。请使用 127.0.0.1（仅本机）、0.0.0.0（所有网络）等",
    en:
      "--host {host} is not an IP address. Use 127.0.0.1 (this machine only), 0.0.0.0 (every network) or another",
  },
  cli_token_missing: {
    zh: "环境变量 {name} 未设置或为空。请在其中放入访问令牌",
    en: "The environment variable {name} is not set or empty. Put the token there",
  },
  cli_token_short: {
    zh: "环境变量 {name} 中的令牌太短，至少需要 {limit} 个字符",
    en: "The token in the environment variable {name} is too short. Use at least {limit} characters",
  },
  cli_token_characters: {
    zh: "环境变量 {name} 中的令牌只能包含可打印的 ASCII 字符，不含空格",
    en:
      "The token in the environment variable {name} may only have printable ASCII characters, and no spaces",
  },
  cli_not_pem: {
    zh: "{path} 不是 PEM 文件（应含有 -----BEGIN 开头的行）",
    en: "{path} is not a PEM file (it should have a line that begins with -----BEGIN)",
  },
  http_port_taken: {
    zh: "{address} 已被其他程序占用。请用 --port 指定其他端口（--port 0 为任意空闲端口）",
    en: "Another program uses {address}. Choose another port with --port (0 for any free port)",
  },
  http_cannot_listen: {
    zh: "无法在 {address} 上提供服务：{reason}。请检查 --host 和 --port",
    en: "Cannot listen on {address}: {reason}. Check --host and --port",
  },
  cli_serve_not_open: {
    zh: "暂时无法检索，收到下一个请求时再试：{text}",
    en: "Searching is not possible yet; the next request will try again: {text}",
  },
  cli_serve_update_failed: {
    zh: "目录 {dir} 的索引未能更新：{text}（检索不受影响；排除问题后请运行 muxue_rag --dir {dir!}{-c}）",
    en:
      "The index of {dir} could not be updated: {text} (searches are not affected; after fixing the problem, run muxue_rag --dir {dir!}{-c})",
  },
  cli_serve_vectors_begin: {
    zh: "在后台为 {dir} 生成本地模型的 {count} 个向量，估计需要 {left}；在此期间按关键词和内置词向量检索",
    en:
      "Making {count} vectors of the local models for {dir} in the background: about {left}. Keywords and built-in word vectors are searched meanwhile",
  },
  cli_serve_vectors_failed: {
    zh: "目录 {dir} 的本地模型向量未能生成：{text}（检索照常进行；排除问题后会自动重试）",
    en:
      "The vectors of the local models for {dir} could not be made: {text} (searches go on without them; it is tried again later)",
  },
  cli_serve_server_failed: {
    zh:
      "目录 {dir} 的向量未能从向量服务取得：{text}（检索照常进行，用关键词和内置词向量；服务恢复后自动继续）",
    en:
      "The embedding server gave no vectors for {dir}: {text} (searches go on with keywords and built-in word vectors; the rest is requested when the server answers again)",
  },
  cli_serve_folder_gone: {
    zh: "目录 {dir} 不见了，暂不更新其索引；目录恢复后会自动继续",
    en: "The folder {dir} is gone. Its index will be updated again when the folder is back",
  },
  cli_serve_not_watched: {
    zh:
      "无法监视目录 {dir}：{text}（改为每 30 秒检查一次。在 Linux 上可调高 fs.inotify.max_user_watches 和 fs.inotify.max_user_instances）",
    en:
      "The folder {dir} cannot be watched: {text} (it is checked every 30 seconds instead; on Linux, raise fs.inotify.max_user_watches and fs.inotify.max_user_instances)",
  },
} satisfies Texts;
