import { type DocumentError, type Loader } from "#documents/mod.ts";
import { zipOf } from "./zip_of.ts";

const ROOT = "http://schemas.openxmlformats.org";

/** Namespaces of the parts of Office files in tests. */
export const NAMESPACES = `xmlns:w="${ROOT}/wordprocessingml/2006/main" ` +
  `xmlns:p="${ROOT}/presentationml/2006/main" xmlns:a="${ROOT}/drawingml/2006/main" ` +
  `xmlns:r="${ROOT}/officeDocument/2006/relationships" xmlns:m="${ROOT}/officeDocument/2006/math" ` +
  `xmlns:pic="${ROOT}/drawingml/2006/picture" xmlns:wp="${ROOT}/drawingml/2006/wordprocessingDrawing"`;

/** Returns a part with relations: `[id, type, target]`. */
export function relations(...list: readonly (readonly [string, string, string])[]): string {
  const items = list.map(([id, type, target]) =>
    `<Relationship Id="${id}" Type="${ROOT}/officeDocument/2006/relationships/${type}" Target="${target}"` +
    `${/^https?:/.test(target) ? ' TargetMode="External"' : ""}/>`
  );
  return `<Relationships xmlns="${ROOT}/package/2006/relationships">${items.join("")}</Relationships>`;
}

/** Returns an Office file of these parts. `main` is the name of the main part. */
export function officeFile(
  main: string,
  parts: Readonly<Record<string, string | Uint8Array>>,
): Uint8Array<ArrayBuffer> {
  return zipOf({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations(["rId1", "officeDocument", main]),
    ...parts,
  });
}

/** Returns the problem that a loader reports for some bytes, or `none`. */
export async function problemOf(loader: Loader, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    await loader.load(bytes, { path: "a" });
    return "none";
  } catch (error) {
    return (error as DocumentError).problem;
  }
}
