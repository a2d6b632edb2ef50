/** Texts about the people that a server knows: their tokens, and the commands for them. */
import type { Texts } from "./texts.ts";

export const PEOPLE = {
  cli_help_cmd_token: ["管理访问 serve --http 的令牌", "tokens of the people who may ask serve --http"],
  cli_help_cmd_token_add: [
    "为一个人或程序新建令牌，只显示一次",
    "make a token for a person or program; it is shown once",
  ],
  cli_help_cmd_token_list: ["列出令牌、权限和期限", "list the tokens with their rights and ends"],
  cli_help_cmd_token_revoke: ["立即作废一个令牌", "end a token at once"],
  cli_help_arg_token_name: ["人或程序的名称", "name of the person or program"],
  cli_help_collection_token: [
    "可访问的集合：配置中的名称或目录路径，后加 :write 还允许更新索引，可多次使用",
    "a collection that may be read: its name in the configuration, or a folder; with :write after it the index may be updated as well; repeatable",
  ],
  cli_help_access_level: [
    "只能看到 access_level 为此值的文档，可多次使用",
    "only documents with this access_level are visible; repeatable",
  ],
  cli_help_expires: [
    "何时失效：90d、12h、4w、日期如 2027-01-31，或 never；默认 90d",
    "when the token ends: 90d, 12h, 4w, a day such as 2027-01-31, or never; default: 90d",
  ],
  cli_token_name_missing: [
    "请给出人或程序的名称：token add 名称 --collection 集合",
    "Name the person or program: token add NAME --collection COLLECTION",
  ],
  token_name_invalid: [
    "名称 {name} 不可用：以字母或数字开头，只含字母、数字、空格和 . _ @ -，最多 {limit} 个字符",
    "The name {name} cannot be used: it begins with a letter or digit and has letters, digits, spaces and . _ @ - only, at most {limit} characters",
  ],
  token_expires_invalid: [
    "--expires {text} 不是将来的期限：请写 90d、12h、4w、日期如 2027-01-31 或 never（最长 {days} 天）",
    "--expires {text} is not a time in the future: write 90d, 12h, 4w, a day such as 2027-01-31, or never (at most {days} days)",
  ],
  token_no_collection: [
    "请用 --collection 指定令牌可访问的集合",
    "Name the collections that the token gives access to: --collection NAME",
  ],
  token_collection_unknown: [
    "配置中没有名为 {name} 的集合。已有：{known}。也可以写目录的路径",
    "The configuration has no collection {name}. It has: {known}. A path of a folder can be given instead",
  ],
  token_write_limited: [
    "--access-level 不能与 :write 一起使用：更新索引的结果会透露其他文档",
    "--access-level cannot be used with :write, because the result of an update tells of other documents",
  ],
  token_name_taken: [
    "{name} 已有有效的令牌。请先运行 token revoke {name}",
    "{name} has a valid token. End it first: token revoke {name}",
  ],
  token_unknown: [
    "没有属于 {name} 的有效令牌。请用 token list 查看",
    "{name} has no valid token. List them: token list",
  ],
  cli_token_added: [
    "{name} 的令牌有效期至 {end}。上面的令牌不会再次显示；运行中的 serve --http 会在几秒内接受它",
    "The token of {name} is valid until {end}. It is not shown again; a serve --http that runs admits it within seconds",
  ],
  cli_token_added_forever: [
    "{name} 的令牌长期有效，直到 token revoke {name}。上面的令牌不会再次显示；运行中的 serve --http 会在几秒内接受它",
    "The token of {name} does not expire; token revoke {name} ends it. It is not shown again; a serve --http that runs admits it within seconds",
  ],
  cli_token_first: [
    "从现在起，serve --http 只回答带有令牌的请求",
    "From now on serve --http answers only requests with a token",
  ],
  cli_token_revoked: [
    "{name} 的令牌已作废；运行中的服务会在 10 秒内结束它的会话",
    "The token of {name} has ended. A server that runs ends its sessions within 10 seconds",
  ],
  cli_token_none: [
    "还没有令牌。新建：token add 名称 --collection 集合",
    "There are no tokens. Make one: token add NAME --collection COLLECTION",
  ],
  cli_token_column_name: ["名称", "name"],
  cli_token_column_state: ["状态", "state"],
  cli_token_column_collections: ["集合", "collections"],
  cli_token_column_expires: ["失效时间", "ends"],
  cli_token_column_used: ["最近使用", "last used"],
  cli_token_valid: ["有效", "valid"],
  cli_token_expired: ["已过期", "expired"],
  cli_token_ended: ["已作废", "revoked"],
  cli_token_never: ["从不", "never"],
  cli_token_levels: ["（仅 {levels}）", " (only {levels})"],
  ingest_not_granted: [
    "你的令牌不允许更新 {path} 的索引。请向管理员申请该集合的 write 权限",
    "Your token does not allow updates of the index of {path}. Ask the administrator for the right write to this collection",
  ],
} satisfies Texts;
