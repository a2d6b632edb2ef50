import type { Texts } from "./texts.ts";

/** Texts about rerankers. Those that begin with `rerank_` are reasons for which the hits stay in the order before. */
export const RERANK = {
  hits_not_reranked: {
    zh: "重排未成功，结果保持原来的顺序：{problem}",
    en: "The hits could not be reranked and are in the order before: {problem}",
  },
  explain_reranker: {
    zh: "重排：{id}，前 {count} 个候选",
    en: "Reranked by {id}: the best {count} candidates",
  },
  explain_reranked: {
    zh: "重排前第 {rank} 位，得分 {score}",
    en: "before reranking: #{rank}, score {score}",
  },
  explain_not_judged: {
    zh: "未参与重排；原得分 {score}",
    en: "not reranked; its score was {score}",
  },
  rerank_refused: {
    zh: "{url} 没有服务在运行（连接被拒绝）。请启动重排服务，或检查 rerank.base_url",
    en: "Nothing answers at {url} (connection refused). Start the server, or check rerank.base_url",
  },
  rerank_unknown_host: {
    zh: "找不到 {url} 的主机。请检查 rerank.base_url 和网络",
    en: "The host of {url} was not found. Check rerank.base_url and the network",
  },
  rerank_certificate: {
    zh:
      "{url} 的证书不受信任（{words}）。自签名证书请用环境变量 DENO_CERT 指定其 CA 的 PEM 文件；系统已信任的请设 DENO_TLS_CA_STORE=mozilla,system",
    en:
      "The certificate of {url} is not trusted ({words}). For a self-signed certificate, set the environment variable DENO_CERT to the PEM file of its CA; for one that your system trusts, set DENO_TLS_CA_STORE=mozilla,system",
  },
  rerank_not_tls: {
    zh: "{url} 无法建立加密连接（{words}）。该服务可能只支持 http://，请检查 rerank.base_url",
    en:
      "Cannot open an encrypted connection to {url} ({words}). The server may only support http://. Check rerank.base_url",
  },
  rerank_cut_off: {
    zh: "{url} 中断了连接（{words}）。请检查重排服务是否仍在运行",
    en: "{url} closed the connection ({words}). Check that the server is still running",
  },
  rerank_unreachable: {
    zh: "无法连接 {url}（{words}）。请检查 rerank.base_url、网络和代理设置",
    en: "Cannot reach {url} ({words}). Check rerank.base_url, the network and the proxy settings",
  },
  rerank_timeout: {
    zh:
      "重排在 {seconds} 秒内没有完成。请检查重排服务；如果只是较慢，请调低 rerank.top_m 或调高 rerank.timeout_seconds",
    en:
      "The reranker did not answer within {seconds} s. Check it. If it is only slow, lower rerank.top_m or raise rerank.timeout_seconds",
  },
  rerank_redirected: {
    zh: "{url} 把请求重定向到 {to}；为避免密钥外泄，程序不会跟随。请把 rerank.base_url 改为最终地址",
    en:
      "{url} redirects to {to}. The redirect is not followed, because the key would go with it. Set rerank.base_url to the final address",
  },
  rerank_key_missing: {
    zh: "{url} 要求密钥，但 rerank.api_key 没有设置（HTTP {status}）。请设置它，最好写成 env:变量名",
    en: "{url} requires a key, but rerank.api_key is not set (HTTP {status}). Set it, preferably as env:NAME",
  },
  rerank_unauthorized: {
    zh: "{url} 拒绝了密钥（HTTP {status}）。请检查 rerank.api_key 是否正确、有效，并可用于模型 {model}",
    en:
      "{url} rejected the key (HTTP {status}). Check that rerank.api_key is correct, still valid, and may be used for the model {model}",
  },
  rerank_quota: {
    zh: "{url} 的额度或余额已用完：{words}",
    en: "The quota or balance at {url} is used up: {words}",
  },
  rerank_rate_limited: {
    zh: "{url} 限制了请求频率：{words}。请稍后重试",
    en: "{url} limits the rate of requests: {words}. Try again later",
  },
  rerank_server_error: {
    zh: "{url} 出错（HTTP {status}）：{words}。请检查重排服务",
    en: "{url} failed (HTTP {status}): {words}. Check the server",
  },
  rerank_unknown_model: {
    zh: "{url} 没有模型 {model}：{words}。请检查 rerank.model，并确认模型已下载或部署",
    en:
      "{url} has no model {model}: {words}. Check rerank.model, and that the model is downloaded or deployed",
  },
  rerank_wrong_address: {
    zh:
      "{url} 不提供重排接口（{words}）。请检查 rerank.base_url：remote 请求其下的 /rerank，llm 请求 /chat/completions",
    en:
      "{url} does not rerank ({words}). Check rerank.base_url: remote asks for /rerank below it, llm for /chat/completions",
  },
  rerank_rejected: {
    zh: "{url} 拒绝了请求（HTTP {status}）：{words}。请检查 rerank.model 和 rerank.protocol",
    en: "{url} rejected the request (HTTP {status}): {words}. Check rerank.model and rerank.protocol",
  },
  rerank_bad_answer: {
    zh: "{url} 的回答不是重排的格式：{words}。请检查 rerank.base_url、rerank.model 和 rerank.provider",
    en:
      "The answer of {url} does not have the form of a reranking: {words}. Check rerank.base_url, rerank.model and rerank.provider",
  },
  rerank_too_large: {
    zh: "{url} 的一次回答超过 {limit} MB。请调低 rerank.top_m",
    en: "One answer of {url} is larger than {limit} MB. Lower rerank.top_m",
  },
  rerank_batch_too_large: {
    zh: "{url} 一次不接受这么多文本：{words}。请调低 rerank.top_m",
    en: "{url} does not accept so many texts at once: {words}. Lower rerank.top_m",
  },
  rerank_too_long: {
    zh: "文本超出模型 {model} 的上下文窗口：{words}。请换用窗口更大的模型，或调低 rerank.top_m",
    en:
      "The texts are too long for the model {model}: {words}. Use a model with a larger window, or lower rerank.top_m",
  },
  rerank_incomplete: {
    zh: "{url} 没有给每段文本恰好一个分数（{expected} 段中有 {found} 段）。请换一个模型或更新服务",
    en:
      "{url} did not give each text exactly one score ({found} of {expected} texts). Use another model or a newer server",
  },
  rerank_no_model: {
    zh: "{path} 中没有模型（{missing}）。请把 rerank.path 设为 ONNX 文件，tokenizer.json 须在同一目录",
    en:
      "There is no model at {path} ({missing} is missing). Set rerank.path to an ONNX file with its tokenizer.json beside it",
  },
  rerank_changed_model: {
    zh: "{path} 在使用中被更换。请再检索一次，程序会重新读取",
    en: "{path} was replaced while it was in use. Search again: the program reads it anew",
  },
  rerank_damaged_model: {
    zh: "{path} 已损坏：缺失，或大小与 model.json 不符。请恢复该文件",
    en: "{path} is damaged: it is missing, or its size is not the one in model.json. Restore the file",
  },
  rerank_broken: {
    zh: "重排时发生意外错误（{words}）。请重试；如果总是如此，请把 rerank.provider 设为 maxsim",
    en:
      "The reranker failed unexpectedly ({words}). Try again. If it happens every time, set rerank.provider to maxsim",
  },
  rerank_not_numbers: {
    zh: "{url} 返回了无效的分数（NaN、空值或超出范围）。请换一个模型或更新服务",
    en: "{url} returned invalid scores (NaN, null or out of range). Use another model or a newer server",
  },
} satisfies Texts;
