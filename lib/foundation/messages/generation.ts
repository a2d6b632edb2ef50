/** Texts for language models: prompts, consent, budgets, estimates, and how much is missing. */
import type { Texts } from "./texts.ts";

export const GENERATION = {
  llm_prompt_unreadable: ["无法读取提示词 {path}：{error}", "The prompt {path} cannot be read: {error}"],
  llm_prompt_wrong: [
    "提示词 {path} 第 {line} 行：此处应有“{expected}”",
    "The prompt {path}, line {line}: “{expected}” is expected",
  ],
  llm_prompt_placeholder: [
    "提示词 {path} 第 {line} 行：没有占位符 {name}。可用的有：{names}",
    "The prompt {path}, line {line}: there is no placeholder {name}. There are: {names}",
  ],
  llm_serve_failed: [
    "目录 {dir} 的语言模型任务没有完成：{text}（检索照常进行，以后会自动重试）",
    "The tasks of language models for {dir} were not finished: {text} (searches go on without; it is tried again later)",
  ],
  hit_generated: ["仅由模型所写的文字找到", "found only by a text that a model wrote"],
  explain_generated: ["模型所写的文字 {share}", "texts that a model wrote {share}"],
  llm_failed: ["语言模型的请求失败", "The request to the language model failed"],
  llm_not_grounded: [
    "语言模型的结果没有依据，已弃用",
    "The result of the language model is not supported by its source and was rejected",
  ],
  llm_budget_run: [
    "本次运行的额度（llm.budget.run_tokens：{limit} 个词元）已用完。可再次运行，从停下的地方继续，或调高该设置",
    "The budget of this run (llm.budget.run_tokens: {limit} tokens) is used up. Run again to go on, or raise the setting",
  ],
  llm_budget_day: [
    "今天的额度（llm.budget.day_tokens：{limit} 个词元）已用完。明天再运行，或调高该设置",
    "The budget of today (llm.budget.day_tokens: {limit} tokens) is used up. Run again tomorrow, or raise the setting",
  ],
  llm_prompts_indexed: [
    "llm.prompts：{path} 在已建索引的目录 {root} 中，其中的文档会变成给模型的指令。请将提示词放到别处",
    "llm.prompts: {path} is in the indexed folder {root}, whose documents could give the model instructions. Put the prompts elsewhere",
  ],
  llm_prompts_missing: ["llm.prompts：没有文件夹 {path}", "llm.prompts: there is no folder {path}"],
  llm_consent_question: [
    "{dir} 的文字将发送到 {host}。同意请输入该主机名，不同意请直接按 Enter：",
    "Texts of {dir} would be sent to {host}. To agree, type the name of the host; to refuse, press Enter: ",
  ],
  llm_consent_declined: [
    "未同意，{dir} 的文字不会发送到 {host}。以后同意请运行：muxue_rag{-c} index {dir!} --consent {host!}",
    "Not agreed: texts of {dir} are not sent to {host}. To agree later, run: muxue_rag{-c} index {dir!} --consent {host!}",
  ],
  llm_consent_missing: [
    "{dir} 的文字没有发送到 {host}，因为您尚未同意。同意请运行：muxue_rag{-c} index {dir!} --consent {host!}",
    "Texts of {dir} are not sent to {host}, because you have not agreed. To agree, run: muxue_rag{-c} index {dir!} --consent {host!}",
  ],
  llm_consent_eval: [
    "重排（rerank.provider: llm）将把数据中的文字发送到 {host}，而您尚未同意。同意请加上 --consent {host!}，不用重排请设 search.rerank: false",
    "Reranking (rerank.provider: llm) would send texts of the data to {host}, and you have not agreed. To agree, add --consent {host!}; to measure without it, set search.rerank: false",
  ],
  llm_consent_unknown: [
    "--consent：没有配置 {host}。配置中的主机：{hosts}",
    "--consent: {host} is not configured. The configuration has: {hosts}",
  ],
  llm_consent_no_model: [
    "--consent：没有配置语言模型，请先设置 llm.provider",
    "--consent: no language model is configured. Set llm.provider first",
  ],
  cli_verify_generated_sound: ["{results} 项结果完好", "{results} {results|result|results}, sound"],
  cli_verify_generated_damaged: [
    "{results} 项结果完好，{damaged} 项损坏，下次运行时重新生成",
    "{results} {results|result|results} sound, {damaged} damaged: the next run makes them anew",
  ],
  llm_no_consent: ["：尚未同意发送（--consent）", ": not agreed to (--consent)"],
  llm_progress: [
    "语言模型 {task}：{done}/{total} · {model}",
    "Language model, {task}: {done}/{total} · {model}",
  ],
  llm_step: [
    "{task}：用 {model} 处理 {dir} 中的 {count} 项 …",
    "{task}: {count} {count|item|items} of {dir} with {model} …",
  ],
  llm_made: [
    "{task}：{total} 项中已完成 {done} 项，本次 {made} 项",
    "{task}: {done} of {total} done, {made} in this run",
  ],
  llm_rejected_results: ["，另有 {count} 项被弃用", ", {count} rejected"],
  llm_rejected_pictures: [
    "，另有 {count} 幅图片的描述被弃用",
    ", {count} {count|description|descriptions} rejected",
  ],
  llm_on_request: ["{task}：使用时请求", "{task} on request"],
  llm_usage: [
    "语言模型：{calls} 次请求，输入 {input} 个词元，输出 {output} 个",
    "Language model: {calls} {calls|request|requests}, {input} tokens in, {output} out",
  ],
  llm_usage_about: [
    "语言模型：{calls} 次请求，约输入 {input} 个词元，输出 {output} 个",
    "Language model: {calls} {calls|request|requests}, about {input} tokens in, {output} out",
  ],
  llm_price: ["，价格 {price}", ", price {price}"],
  llm_failures: ["{count} 次：{text}", "{count} {count|time|times}: {text}"],
  llm_run_ended: [
    "本次运行不再请求模型 {model}。排除问题后再次运行，会从停下的地方继续",
    "The model {model} is not asked any more in this run. Solve the problem and run again: it goes on where it stopped",
  ],
  llm_estimate_nothing: [
    "{dir}：没有要交给语言模型的任务（llm.tasks）",
    "{dir}: no task for a language model (llm.tasks)",
  ],
  llm_estimate_server: [
    "{dir} 将发送到 {host}（{model}）。以下为估计，尚未发送任何内容：",
    "{dir} would send to {host} ({model}). This is an estimate; nothing was sent:",
  ],
  llm_estimate_task: [
    "{task}：{calls} 次请求，约输入 {input} 个词元，输出 {output} 个；已有 {kept} 项结果",
    "{task}: {calls} {calls|request|requests}, about {input} tokens in, {output} out; {kept} {kept|result|results} known already",
  ],
  llm_estimate_images: ["，图片 {images} 幅", ", {images} {images|picture|pictures}"],
} satisfies Texts;
