import type { Texts } from "./texts.ts";

/** Texts about embedding servers. */
export const EMBEDDING = {
  embedding_refused: {
    zh:
      "{url} 没有服务在运行（连接被拒绝）。请启动向量服务（如 LM Studio 的 Local Server），或检查 embedding.base_url",
    en:
      "Nothing answers at {url} (connection refused). Start the embedding server (in LM Studio: Local Server), or check embedding.base_url",
  },
  embedding_unknown_host: {
    zh: "找不到 {url} 的主机。请检查 embedding.base_url 和网络",
    en: "The host of {url} was not found. Check embedding.base_url and the network",
  },
  embedding_certificate: {
    zh:
      "{url} 的证书不受信任（{words}）。自签名证书请用环境变量 DENO_CERT 指定其 CA 的 PEM 文件；系统已信任的请设 DENO_TLS_CA_STORE=mozilla,system",
    en:
      "The certificate of {url} is not trusted ({words}). For a self-signed certificate, set the environment variable DENO_CERT to the PEM file of its CA; for one that your system trusts, set DENO_TLS_CA_STORE=mozilla,system",
  },
  embedding_not_tls: {
    zh: "{url} 无法建立加密连接（{words}）。该服务可能只支持 http://，请检查 embedding.base_url",
    en:
      "Cannot open an encrypted connection to {url} ({words}). The server may only support http://. Check embedding.base_url",
  },
  embedding_cut_off: {
    zh: "{url} 中断了连接（{words}）。已完成的部分会保留。请检查向量服务是否仍在运行，然后重试",
    en:
      "{url} closed the connection ({words}). Finished work is kept. Check that the embedding server is still running, and try again",
  },
  embedding_unreachable: {
    zh: "无法连接 {url}（{words}）。请检查 embedding.base_url、网络和代理设置",
    en: "Cannot reach {url} ({words}). Check embedding.base_url, the network and the proxy settings",
  },
  embedding_timeout: {
    zh:
      "{url} 在 {seconds} 秒内没有回应。请检查向量服务；如果只是较慢，请调高 embedding.timeout_seconds 或调低 embedding.batch_size",
    en:
      "{url} did not answer within {seconds} s. Check the embedding server. If it is only slow, raise embedding.timeout_seconds or lower embedding.batch_size",
  },
  embedding_redirected: {
    zh: "{url} 把请求重定向到 {to}；为避免密钥外泄，程序不会跟随。请把 embedding.base_url 改为最终地址",
    en:
      "{url} redirects to {to}. The redirect is not followed, because the key would go with it. Set embedding.base_url to the final address",
  },
  embedding_key_missing: {
    zh: "{url} 要求密钥，但 embedding.api_key 没有设置（HTTP {status}）。请设置它，最好写成 env:变量名",
    en:
      "{url} requires a key, but embedding.api_key is not set (HTTP {status}). Set it, preferably as env:NAME",
  },
  embedding_unauthorized: {
    zh: "{url} 拒绝了密钥（HTTP {status}）。请检查 embedding.api_key 是否正确、有效，并可用于模型 {model}",
    en:
      "{url} rejected the key (HTTP {status}). Check that embedding.api_key is correct, still valid, and may be used for the model {model}",
  },
  embedding_quota: {
    zh: "{url} 的额度或余额已用完：{words}。已完成的部分会保留",
    en: "The quota or balance at {url} is used up: {words}. Finished work is kept",
  },
  embedding_rate_limited: {
    zh: "{url} 限制了请求频率：{words}。已完成的部分会保留。请稍后重试，或调低 embedding.concurrency",
    en:
      "{url} limits the rate of requests: {words}. Finished work is kept. Try again later, or lower embedding.concurrency",
  },
  embedding_server_error: {
    zh: "{url} 出错（HTTP {status}）：{words}。已完成的部分会保留。请检查向量服务后重试",
    en:
      "{url} failed (HTTP {status}): {words}. Finished work is kept. Check the embedding server and try again",
  },
  embedding_unknown_model: {
    zh: "{url} 没有模型 {model}：{words}。请检查 embedding.model，并确认模型已下载或部署",
    en:
      "{url} has no model {model}: {words}. Check embedding.model, and that the model is downloaded or deployed",
  },
  embedding_unknown_model_listed: {
    zh: "{url} 没有模型 {model}。请把 embedding.model 改为其中之一：{models}",
    en: "{url} has no model {model}. Set embedding.model to one of: {models}",
  },
  embedding_wrong_address: {
    zh: "{url} 不提供向量接口（{words}）。请检查 embedding.base_url，一般以 /v1 结尾",
    en: "{url} does not offer embeddings ({words}). Check embedding.base_url; it usually ends in /v1",
  },
  embedding_rejected: {
    zh: "{url} 拒绝了请求（HTTP {status}）：{words}",
    en: "{url} rejected the request (HTTP {status}): {words}",
  },
  embedding_dimensions_refused: {
    zh: "模型 {model} 不能生成 {dimensions} 维的向量：{words}。请把 embedding.dimensions 留空",
    en:
      "The model {model} cannot produce vectors with {dimensions} dimensions: {words}. Leave embedding.dimensions empty",
  },
  embedding_wrong_dimensions: {
    zh:
      "模型 {model} 的向量为 {found} 维，应为 {expected} 维。请检查 embedding.dimensions；如果服务端的模型换过，请重新请求全部向量：muxue_rag reembed",
    en:
      "The vectors of the model {model} have {found} dimensions instead of {expected}. Check embedding.dimensions. If the model on the server has changed, request all vectors again: muxue_rag reembed",
  },
  embedding_wrong_count: {
    zh: "{url} 为 {expected} 段文本返回了 {found} 个向量。请检查该服务是否兼容 OpenAI 的向量接口",
    en:
      "{url} returned {found} vectors for {expected} texts. Check that the server follows OpenAI's embeddings API",
  },
  embedding_not_numbers: {
    zh: "模型 {model} 返回的向量含有无效的数（NaN、空值或全零）。请在 {url} 上换一种量化或更新服务",
    en:
      "The model {model} returned vectors with invalid numbers (NaN, null or all zeros). Try another quantization or a newer server at {url}",
  },
  embedding_bad_answer: {
    zh: "{url} 的回答不是向量接口的格式：{words}",
    en: "The answer of {url} does not have the form of the embeddings API: {words}",
  },
  embedding_too_large: {
    zh: "{url} 的一次回答超过 {limit} MB。请调低 embedding.batch_size",
    en: "One answer of {url} is larger than {limit} MB. Lower embedding.batch_size",
  },
  embedding_batch_too_large: {
    zh: "{url} 一次不接受这么多文本：{words}。请调低 embedding.batch_size",
    en: "{url} does not accept so many texts at once: {words}. Lower embedding.batch_size",
  },
  embedding_too_long: {
    zh: "文本超出模型 {model} 的上下文窗口：{words}。请调低 embedding.max_input_chars",
    en: "A text is too long for the model {model}: {words}. Lower embedding.max_input_chars",
  },
} satisfies Texts;
