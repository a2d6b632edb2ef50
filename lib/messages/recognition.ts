import type { Texts } from "./texts.ts";

/** Texts about text recognition (OCR). */
export const RECOGNITION = {
  ocr_data_missing: {
    zh:
      "文字识别已打开（files.ocr），但识别数据没有安装，{count} 个扫描件没有识别。请运行：muxue_rag model install ocr",
    en:
      "Text recognition is on (files.ocr), but its data is not installed. {count} {count|scan was|scans were} not recognised. Run: muxue_rag model install ocr",
  },
  ocr_data_unusable: {
    zh: "文字识别的数据无法使用（{error}）。请运行：muxue_rag model install ocr",
    en: "The data for text recognition cannot be used ({error}). Run: muxue_rag model install ocr",
  },
  cli_bar_recognised: { zh: "{bar}  识别 {pages} 页", en: "{bar}  {pages} {pages|page|pages} recognised" },
  cli_recognised: { zh: "识别文字", en: "Recognised text" },
  cli_recognised_pages: { zh: "{pages} 页", en: "{pages} {pages|page|pages}" },
  cli_recognised_pending: {
    zh: "{pages} 页，{pending} 个文件待识别",
    en: "{pages} {pages|page|pages}, {pending} {pending|file|files} to do",
  },
  hit_recognised: { zh: "识别文字", en: "recognised text" },
  document_recognised_pages: {
    zh: "第 {pages} 页的文字由图像识别而来，可能有错",
    en: "The text of page(s) {pages} was recognised in images and may contain errors",
  },
  cli_serve_recognition_failed: {
    zh: "目录 {dir} 的扫描件没有识别：{text}（检索照常进行，以后会自动重试）",
    en:
      "The scans in {dir} were not recognised: {text} (searches go on without them; it is tried again later)",
  },
} satisfies Texts;
