import type { Loader } from "../loader.ts";
import { guarded } from "../reader/guarded.ts";
import { type Document, DocumentError, type Metadata } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { Reader } from "./reader.ts";
import { scan } from "./scan.ts";

/** Rich Text Format. A file that is cut off gives the text before the cut. */
export const loader: Loader = { load: (bytes) => guarded(() => loadRtf(bytes)) };

function loadRtf(bytes: Uint8Array): Document {
  if (new TextDecoder("latin1").decode(bytes.subarray(0, 5)) !== "{\\rtf") {
    throw new DocumentError("damaged", "the file does not begin like RTF");
  }
  const builder = new MarkdownBuilder();
  const reader = new Reader(builder);
  scan(bytes, reader);
  reader.end();
  const { info } = reader;
  const author = info.get("author") ?? "";
  const created = dateOf(info, "created");
  const date = dateOf(info, "saved") ?? created;
  const tags = (info.get("keywords") ?? "").split(/[,;，；、]/).map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  const metadata: Metadata = {
    ...(author === "" ? {} : { author }),
    ...(date === undefined ? {} : { date }),
    ...(created === undefined ? {} : { created }),
    ...(tags.length === 0 ? {} : { tags }),
  };
  return builder.finish({ title: reader.main.title ?? info.get("title"), metadata });
}

function dateOf(info: ReadonlyMap<string, string>, name: string): string | undefined {
  const [year, month, day] = ["yr", "mo", "dy"].map((one) => Number(info.get(`${name} ${one}`) ?? 0));
  if (!(year! > 1970 && year! < 10_000) || !month || !day || month > 12 || day > 31) return undefined;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
