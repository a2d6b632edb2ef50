import { convertHtml } from "../html/mod.ts";
import type { MarkdownBuilder } from "../writer/markdown_builder.ts";
import type { Output } from "./read.ts";

/** Longest text of one output, in UTF-16 units. Logs of training runs have megabytes. */
const LONGEST = 20_000;
// deno-lint-ignore no-control-regex
const COLOURS = /\u001b\[[0-9;?]{0,20}[A-Za-z]|\u001b\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)/g;

/** Adds the text that a cell printed. Pictures are recorded, widgets are left out. */
export async function writeOutputs(outputs: readonly Output[], builder: MarkdownBuilder): Promise<void> {
  let printed = "";
  const flush = () => {
    builder.code(shortened(printed));
    printed = "";
  };
  for (const output of outputs) {
    if (output.kind !== "data") {
      if (output.kind === "error") flush();
      printed += cleaned(output.text);
      if (output.kind === "error") flush();
      continue;
    }
    flush();
    await writeData(output.data, builder);
  }
  flush();
}

async function writeData(data: Readonly<Record<string, string>>, builder: MarkdownBuilder): Promise<void> {
  const media = Object.keys(data);
  const isPicture = media.some((one) =>
    one.startsWith("image/") || one.includes("plotly") || one.includes("vega")
  );
  if (isPicture) builder.image();
  if (media.some((one) => one.includes("widget-view"))) return;
  const plain = cleaned(data["text/plain"] ?? "").trim();
  // The name of an object adds nothing to its picture or table.
  const isName = /^<.*>$/s.test(plain);
  if (
    plain !== "" &&
    !(isName && (isPicture || data["text/html"] !== undefined || data["text/markdown"] !== undefined))
  ) {
    builder.code(shortened(plain));
  } else if ((data["text/markdown"] ?? "").trim() !== "") {
    builder.block(data["text/markdown"]!.replace(/^#+\s+(.*)$/gm, "**$1**").slice(0, LONGEST));
  } else if (data["text/html"] !== undefined) {
    await convertHtml(data["text/html"].slice(0, 1_000_000), builder, { extent: "whole" });
  } else if (data["text/latex"] !== undefined) builder.paragraph(data["text/latex"]!.slice(0, LONGEST));
}

/** Returns a text without colours. Of lines that were overwritten, only the last state stays. */
function cleaned(text: string): string {
  const plain = text.replace(COLOURS, "").replace(/\r\n/g, "\n");
  return plain.includes("\r")
    ? plain.split("\n").map((line) => line.replace(/\r+$/, "").split("\r").at(-1)!).join("\n")
    : plain;
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters`;
}
