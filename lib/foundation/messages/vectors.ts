/** Texts about servers that find the nearest vectors. */
import type { Texts } from "./texts.ts";

export const VECTORS = {
  vectors_unavailable: [
    "无法访问向量服务器 {address}（{reason}）",
    "The vector server {address} cannot be reached ({reason})",
  ],
  vectors_refused: [
    "向量服务器 {address} 拒绝了请求（{reason}）。请检查 vectors.url、vectors.provider 和 vectors.api_key",
    "The vector server {address} refused a request ({reason}). Check vectors.url, vectors.provider and vectors.api_key",
  ],
  vectors_compared_here: [
    "{problem}。这次由程序逐一比较了向量：结果相同，只是较慢",
    "{problem}. The program compared the vectors itself this time: the results are the same, but it takes longer",
  ],
  vectors_not_sent: [
    "{problem}。索引已完成，但没有发送向量；下次运行会补上",
    "{problem}. The index is complete, but its vectors were not sent; the next run makes up for it",
  ],
  vectors_on_server: ["{address}：可用", "{address}: works"],
} satisfies Texts;
