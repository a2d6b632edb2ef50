/** A cell of a notebook. */
export interface Cell {
  readonly type: "markdown" | "code" | "raw" | "heading";
  readonly source: string;
  /** Level of a heading cell. */
  readonly level: number;
  readonly outputs: readonly Output[];
}

/** Output of a code cell by media type. `error` holds a traceback, `stream` a text. */
export interface Output {
  readonly kind: "stream" | "data" | "error";
  readonly text: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface Notebook {
  readonly cells: readonly Cell[];
  /** Language of the kernel, for the fence of a code block. */
  readonly language: string;
  readonly title: string;
  readonly author: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the notebook in parsed JSON, or `undefined` if it is not a notebook. Parts of an unexpected type count as empty.
 */
export function readNotebook(data: unknown): Notebook | undefined {
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
  const authors = list(metadata.authors).map((one) => text(record(one).name) || text(one)).filter((name) =>
    name !== ""
  );
  return {
    cells: cells.map(cellOf),
    language: language.toLowerCase(),
    title: text(metadata.title) || (text(metadata.name).includes(" ") ? text(metadata.name) : ""),
    author: authors.join(", "),
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
  if (typeof output.png === "string" || typeof output.jpeg === "string") data["image/png"] ??= "";
  return { kind: "data", text: "", data };
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Json : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text, which a notebook stores as one string or as lines. */
function text(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").join("") : "";
}
