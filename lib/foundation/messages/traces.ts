/** Texts about traces: their files, and the command that shows them. */
import type { Texts } from "./texts.ts";

export const TRACES = {
  traces_unwritable: [
    "无法写入追踪记录，目录 {path}：{reason}",
    "Traces cannot be written to {path}: {reason}",
  ],
  otlp_failed: [
    "追踪记录未能发送到 {url}：{words}",
    "Traces could not be sent to {url}: {words}",
  ],
} satisfies Texts;
