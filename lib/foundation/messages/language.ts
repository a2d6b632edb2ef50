/** Language models: the reasons for which one gives no answer. `{section}` is `llm` or `vision_llm`. */
import type { Texts } from "./texts.ts";

export const LANGUAGE = {
  llm_refused: [
    "{url} 拒绝连接（{words}）。请确认语言模型服务已启动，{section}.base_url 正确",
    "{url} refused the connection ({words}). Check that the server with the language model is running and that {section}.base_url is right",
  ],
  llm_unknown_host: [
    "找不到主机 {url}（{words}）。请检查 {section}.base_url 和网络",
    "The host of {url} was not found ({words}). Check {section}.base_url and the network",
  ],
  llm_certificate: [
    "{url} 的证书不受信任（{words}）。自签证书请把环境变量 DENO_CERT 设为其 CA 的 PEM 文件；系统信任的证书请设 DENO_TLS_CA_STORE=mozilla,system",
    "The certificate of {url} is not trusted ({words}). For a self-signed certificate, set the environment variable DENO_CERT to the PEM file of its CA; for one that your system trusts, set DENO_TLS_CA_STORE=mozilla,system",
  ],
  llm_not_tls: [
    "{url} 无法建立加密连接（{words}）。该服务可能只支持 http://，请检查 {section}.base_url",
    "Cannot open an encrypted connection to {url} ({words}). The server may only support http://. Check {section}.base_url",
  ],
  llm_cut_off: [
    "{url} 中断了连接（{words}）。请检查语言模型服务是否仍在运行",
    "{url} closed the connection ({words}). Check that the server is still running",
  ],
  llm_unreachable: [
    "无法连接 {url}（{words}）。请检查 {section}.base_url、网络和代理设置",
    "Cannot reach {url} ({words}). Check {section}.base_url, the network and the proxy settings",
  ],
  llm_timeout: [
    "{url} 在 {seconds} 秒内没有回答。本机的模型可能较慢，可调高 {section}.timeout_seconds，或换用较小的模型",
    "{url} did not answer within {seconds} s. Models on this machine may be slow: raise {section}.timeout_seconds or use a smaller one",
  ],
  llm_redirected: [
    "{url} 把请求重定向到 {to}；为避免密钥和文字外泄，程序不会跟随。请把 {section}.base_url 改为最终地址",
    "{url} redirects to {to}. The redirect is not followed, because the key and the texts would go with it. Set {section}.base_url to the final address",
  ],
  llm_key_missing: [
    "{url} 要求密钥，但 {section}.api_key 没有设置（HTTP {status}）。请设置它，最好写成 env:变量名",
    "{url} requires a key, but {section}.api_key is not set (HTTP {status}). Set it, preferably as env:NAME",
  ],
  llm_unauthorized: [
    "{url} 拒绝了密钥（HTTP {status}）。请检查 {section}.api_key 是否正确、有效，并可用于模型 {model}",
    "{url} rejected the key (HTTP {status}). Check that {section}.api_key is correct, still valid, and may be used for the model {model}",
  ],
  llm_quota: ["{url} 的额度或余额已用完：{words}", "The quota or balance at {url} is used up: {words}"],
  llm_rate_limited: [
    "{url} 限制了请求频率：{words}。请稍后重试，或调低 {section}.concurrency",
    "{url} limits the rate of requests: {words}. Try again later, or lower {section}.concurrency",
  ],
  llm_server_error: [
    "{url} 出错（HTTP {status}）：{words}。请检查语言模型服务",
    "{url} failed (HTTP {status}): {words}. Check the server",
  ],
  llm_unknown_model: [
    "{url} 没有模型 {model}：{words}。请检查 {section}.model，并确认模型已下载或部署",
    "{url} has no model {model}: {words}. Check {section}.model, and that the model is downloaded or deployed",
  ],
  llm_wrong_address: [
    "{url} 不提供语言模型接口（{words}）。请检查 {section}.base_url 和 {section}.provider",
    "{url} does not offer a language model ({words}). Check {section}.base_url and {section}.provider",
  ],
  llm_rejected: [
    "{url} 拒绝了请求（HTTP {status}）：{words}。请检查 {section}.model、{section}.provider 和 {section}.output",
    "{url} rejected the request (HTTP {status}): {words}. Check {section}.model, {section}.provider and {section}.output",
  ],
  llm_bad_answer: [
    "{url} 的回答不是语言模型的格式：{words}。请检查 {section}.base_url 和 {section}.provider",
    "The answer of {url} does not have the form of a language model: {words}. Check {section}.base_url and {section}.provider",
  ],
  llm_too_large: [
    "{url} 的一次回答超过 {limit} MB，已放弃。请检查语言模型服务",
    "One answer of {url} is larger than {limit} MB and was given up. Check the server",
  ],
  llm_batch_too_large: [
    "{url} 一次不接受这么多内容：{words}。请调低 {section}.context_tokens",
    "{url} does not accept so much at once: {words}. Lower {section}.context_tokens",
  ],
  llm_too_long: [
    "请求超出模型 {model} 的上下文窗口：{words}。请把 {section}.context_tokens 设为它的窗口，或换用窗口更大的模型",
    "The request is too long for the model {model}: {words}. Set {section}.context_tokens to its window, or use a model with a larger one",
  ],
  llm_refusal: [
    "模型 {model} 拒绝回答：{words}",
    "The model {model} refused to answer: {words}",
  ],
  llm_cut_off_answer: [
    "模型 {model} 的回答在 {limit} 个词元处中断，不完整。请调高 {section}.max_output_tokens，或关闭模型的思考",
    "The answer of the model {model} broke off after {limit} tokens. Raise {section}.max_output_tokens, or turn off the model's thinking",
  ],
  llm_input_cut: [
    "{url} 悄悄截断了请求：发送了约 {sent} 个词元，只读取了 {read} 个，回答不可信。请把 {section}.context_tokens 设为 {read} 或更小，或调大服务的上下文窗口（Ollama 请用 provider: ollama）",
    "{url} cut the request without saying so: of about {sent} tokens it read {read}, so the answer cannot be trusted. Set {section}.context_tokens to {read} or less, or raise the context window of the server (for Ollama use provider: ollama)",
  ],
  llm_wrong_form: [
    "模型 {model} 两次都没有按要求的格式回答：{words}。请换用更强的模型，或试试 {section}.output: text",
    "The model {model} did not keep to the required form in two tries: {words}. Use a better model, or try {section}.output: text",
  ],
  llm_check_failed: [
    "模型未能核对部分或全部句子，这些句子的结论由内置规则得出：{reason}",
    "The model has not judged some or all sentences; they have the verdicts of the built-in check: {reason}",
  ],
} satisfies Texts;
