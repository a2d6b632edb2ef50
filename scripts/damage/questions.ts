import type { SearchAnswer, SearchRequest } from "#library/search/mod.ts";

/** The searches in every damaged index: words, meanings, phrases and filters, in both languages. */
export const QUESTIONS: readonly SearchRequest[] = [
  { query: "registered folders", mode: "keyword" },
  { query: "proxy environment server", mode: "keyword", topK: 20 },
  { query: "backup restore index", mode: "keyword" },
  { query: "index", mode: "keyword", topK: 50 },
  { query: "配置文件", mode: "keyword" },
  { query: "检索 目录", mode: "keyword", topK: 20 },
  { query: "备份与恢复", mode: "keyword" },
  { query: "how is the answer ranked" },
  { query: "which files are left out of the index" },
  { query: "keep a secret key out of the configuration" },
  { query: "怎样排除不想索引的文件" },
  { query: "向量是用哪个模型生成的", topK: 20 },
  { query: "the server gives no answer", mode: "semantic" },
  { query: "升级以后需要重新处理吗", mode: "semantic" },
  { query: '"state folder" logs' },
  { query: '"embedding server" dimensions', mode: "keyword" },
  { query: '"配置" 语言' },
  { query: '"索引"', mode: "keyword", topK: 50 },
  { query: '"the folder"', mode: "keyword", topK: 50 },
  { query: 'index -"embedding server"', mode: "keyword", topK: 50 },
  { query: "search -phrase", mode: "keyword" },
  { query: "index", filters: { path: "en/" }, topK: 20 },
  { query: "索引 type:txt lang:zh" },
  { query: "server", filters: { type: "md", lang: "en", after: "2000" } },
];

/** Returns an answer as one text, equal for equal answers. Times and the explanation are left out. */
export function told({ hits, notices }: SearchAnswer): string {
  return JSON.stringify({ hits, notices });
}
