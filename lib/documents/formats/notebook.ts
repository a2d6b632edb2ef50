/**
 * Loads Jupyter notebooks of the formats 3 and 4: texts, code and printed output.
 * Below it: the output of cells, and the structure of the JSON.
 */
import { type JsonFields, recordOf } from "../json_fields.ts";
import { described, united } from "../metadata.ts";
import { DocumentError, guarded, type Loader, type Metadata } from "../types.ts";
import { readFrontMatter } from "../text/front_matter.ts";
import { loadMarkdown, stripInlineMarkdown, withoutReferences } from "../text/markdown.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { convertHtml } from "../html/loader.ts";
import { fromBase64 } from "../packed.ts";
import { dataSource, imageReferences } from "../pictures/references.ts";
import type { PictureSource } from "../pictures/types.ts";

/** Jupyter notebooks of the formats 3 and 4: texts, code and printed output. */
export const loader: Loader = guarded(async (bytes, file) => {
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new DocumentError("damaged", "it is not JSON", { cause: error });
  }
  const notebook = readNotebook(data);
  if (notebook === undefined) throw new DocumentError("damaged", "it is not a notebook: it has no cells");
  const builder = new MarkdownBuilder(file);
  const [first] = notebook.cells;
  // Quarto and nbdev keep front matter in the first cell.
  const { end, fields } = first?.type === "raw" || first?.type === "markdown"
    ? readFrontMatter(first.source)
    : { end: 0 };
  for (const [i, cell] of notebook.cells.entries()) {
    builder.page(i + 1, "cell");
    const isAfterFields = i === 0 && fields !== undefined;
    await writeCell(
      isAfterFields ? { ...cell, source: cell.source.slice(end) } : cell,
      notebook.language,
      builder,
    );
  }
  const { title, metadata } = notebook;
  return builder.finish({
    title: fields?.title ?? withoutReferences(title),
    metadata: fields?.metadata === undefined ? metadata : united(fields.metadata, metadata),
  });
});

async function writeCell(cell: Cell, language: string, builder: MarkdownBuilder): Promise<void> {
  if (cell.type === "markdown") writeMarkdown(cell, builder);
  else if (cell.type === "heading") builder.heading(cell.level, stripInlineMarkdown(cell.source));
  else if (cell.type === "raw") builder.paragraph(cell.source);
  else {
    const magic = /^%%(bash|sh|html|javascript|js|latex|perl|ruby|sql|svg|markdown|R)\b/.exec(cell.source)
      ?.[1];
    builder.code(cell.source, magic ?? language);
    await writeOutputs(cell.outputs, builder);
  }
}

/** Writes Markdown as it is. Its headings become sections. Embedded pictures are recorded. */
function writeMarkdown({ source, attachments }: Cell, builder: MarkdownBuilder): void {
  for (const { reference, alternative } of imageReferences(source)) {
    const attached = attachments[reference.replace(/^attachment:/, "")];
    const place = attached !== undefined
      ? { bytes: () => fromBase64(attached) }
      : /^data:/i.test(reference)
      ? dataSource(reference)
      : { link: reference };
    builder.image(undefined, { ...place, alt: alternative });
  }
  const text = source.replace(/data:[\w.+-]{1,40}\/[\w.+-]{1,60};base64,[\w+/=\s]*/g, "").replace(
    /\r\n?/g,
    "\n",
  );
  let at = 0;
  for (const { start, headingEnd, level, title } of loadMarkdown(text).sections) {
    builder.block(text.slice(at, start));
    builder.heading(level, title);
    at = headingEnd;
  }
  builder.block(text.slice(at));
}

/** Longest text of one output, in UTF-16 units. Logs of training runs have megabytes. */
const LONGEST = 20_000;
// deno-lint-ignore no-control-regex
const COLOURS = /\u001b\[[0-9;?]{0,20}[A-Za-z]|\u001b\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)/g;

/** Adds the text that a cell printed. Pictures are recorded, widgets are left out. */
async function writeOutputs(outputs: readonly Output[], builder: MarkdownBuilder): Promise<void> {
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
  if (isPicture) builder.image(undefined, pictureOf(data));
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

/** Returns the picture among the forms of an output: one that clients show, or else a drawing. */
function pictureOf(data: Readonly<Record<string, string>>): PictureSource {
  for (const media of ["image/png", "image/jpeg", "image/gif", "image/webp"]) {
    const found = data[media];
    if (found !== undefined) return { bytes: () => fromBase64(found) };
  }
  const drawing = data["image/svg+xml"];
  return drawing === undefined ? {} : { bytes: () => new TextEncoder().encode(drawing) };
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

/** A cell of a notebook. */
interface Cell {
  readonly type: "markdown" | "code" | "raw" | "heading";
  readonly source: string;
  /** Level of a heading cell. */
  readonly level: number;
  readonly outputs: readonly Output[];
  /** Pictures in Base64 by name, which the text of the cell shows. */
  readonly attachments: Readonly<Record<string, string>>;
}

/** Output of a code cell by media type. `error` holds a traceback, `stream` a text. */
interface Output {
  readonly kind: "stream" | "data" | "error";
  readonly text: string;
  readonly data: Readonly<Record<string, string>>;
}

interface Notebook {
  readonly cells: readonly Cell[];
  /** Language of the kernel, for the fence of a code block. */
  readonly language: string;
  readonly title: string;
  readonly metadata: Metadata | undefined;
}

/** Metadata of notebooks that says nothing about their content: state of widgets, settings of editors. */
const OF_PROGRAMS =
  /^(?:kernelspec|language_info|widgets?|name|title|toc|celltoolbar|varInspector|colab|anaconda-cloud|orig_nbformat|vscode|hide_input|latex_envs|jupytext|nteract|papermill|signature)$/i;

/**
 * Returns the notebook in parsed JSON, or `undefined` if it is not a notebook. Parts of an unexpected type count as empty.
 */
function readNotebook(data: unknown): Notebook | undefined {
  const root = record(data);
  const cells = Array.isArray(root.cells)
    ? root.cells
    : Array.isArray(root.worksheets)
    ? root.worksheets.flatMap((sheet) => list(record(sheet).cells))
    : undefined;
  if (cells === undefined) return undefined;
  const metadata = record(root.metadata);
  const language = text(record(metadata.language_info).name) || text(record(metadata.kernelspec).language) ||
    text(record(cells[0]).language) || "python";
  return {
    cells: cells.map(cellOf),
    language: language.toLowerCase(),
    title: text(metadata.title) || (text(metadata.name).includes(" ") ? text(metadata.name) : ""),
    metadata: described([
      ...Object.entries(metadata).filter(([name]) => !OF_PROGRAMS.test(name)),
      ["kernel", text(record(metadata.kernelspec).display_name)],
    ]).metadata,
  };
}

function cellOf(value: unknown): Cell {
  const cell = record(value);
  const type = text(cell.cell_type);
  return {
    type: type === "markdown" || type === "raw" || type === "heading"
      ? type
      : type === "html"
      ? "markdown"
      : "code",
    source: text(cell.source) || text(cell.input),
    level: typeof cell.level === "number" ? cell.level : 1,
    outputs: list(cell.outputs).map(outputOf),
    attachments: Object.fromEntries(
      Object.entries(record(cell.attachments)).map((
        [name, media],
      ) => [name, text(Object.values(record(media))[0])]),
    ),
  };
}

function outputOf(value: unknown): Output {
  const output = record(value);
  const type = text(output.output_type);
  if (type === "stream") return { kind: "stream", text: text(output.text), data: {} };
  if (type === "error" || type === "pyerr") {
    const traceback = list(output.traceback).map(text).join("\n");
    return { kind: "error", text: traceback || `${text(output.ename)}: ${text(output.evalue)}`, data: {} };
  }
  const data: Record<string, string> = {};
  for (const [media, content] of Object.entries(record(output.data))) data[media] = text(content);
  // Format 3 has short names beside the type.
  for (
    const [short, media] of [["text", "text/plain"], ["html", "text/html"], ["latex", "text/latex"]] as const
  ) {
    if (text(output[short]) !== "") data[media] ??= text(output[short]);
  }
  if (typeof output.png === "string") data["image/png"] ??= output.png;
  if (typeof output.jpeg === "string") data["image/jpeg"] ??= output.jpeg;
  return { kind: "data", text: "", data };
}

function record(value: unknown): JsonFields {
  return recordOf(value) ?? {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text, which a notebook stores as one string or as lines. */
function text(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").join("") : "";
}
