import type { Texts } from "./texts.ts";

/** How a run goes on, on the command line. */
export const PROGRESS = {
  cli_step_scan: { zh: "扫描目录 {dir}", en: "Scanning {dir}" },
  cli_step_scanning: { zh: "扫描目录：{files} 个文件", en: "Scanning: {files} files" },
  cli_step_read: { zh: "读取 {files} 个文件，{size}", en: "Reading {files} {files|file|files}, {size}" },
  cli_step_write: { zh: "写入索引：{chunks} 个分片", en: "Writing the index: {chunks} chunks" },
  cli_bar: {
    zh: "{bar} {percent}%  {done}/{total} 个文件  {bytesDone}/{bytesTotal}  {rate}/s  剩余 {left}",
    en: "{bar} {percent}%  {done}/{total} files  {bytesDone}/{bytesTotal}  {rate}/s  {left} left",
  },
  cli_bar_vectors: {
    zh: "{bar}  向量 {embedded}/{chunks}，{rate}/s",
    en: "{bar}  {embedded}/{chunks} vectors, {rate}/s",
  },
} satisfies Texts;
