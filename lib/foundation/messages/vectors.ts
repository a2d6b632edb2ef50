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
} satisfies Texts;
