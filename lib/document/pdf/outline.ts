import type { PDFDocumentProxy } from "unpdf/pdfjs";
import type { OutlineEntry } from "./types.ts";

const MOST_ENTRIES = 5_000;
const DEEPEST = 10;

type Node = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>[number];

/** Returns the bookmarks of a file in document order. Empty if they are broken. */
export async function readOutline(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  try {
    await add(await pdf.getOutline() ?? [], 1);
  } catch {
    // A broken outline counts as missing.
  }
  return entries;

  async function add(nodes: readonly Node[], level: number): Promise<void> {
    for (const { title, dest, items } of nodes) {
      if (entries.length >= MOST_ENTRIES) return;
      const page = await pageOf(pdf, dest);
      if (title?.trim()) {
        entries.push({ title: title.trim(), level, ...(page === undefined ? {} : { page }) });
      }
      if (level < DEEPEST && items?.length > 0) await add(items, level + 1);
    }
  }
}

async function pageOf(pdf: PDFDocumentProxy, dest: unknown): Promise<number | undefined> {
  try {
    const explicit = typeof dest === "string" ? await pdf.getDestination(dest) : dest;
    if (!Array.isArray(explicit)) return undefined;
    const [target] = explicit;
    if (typeof target === "number") return target + 1;
    return target === null || target === undefined ? undefined : await pdf.getPageIndex(target) + 1;
  } catch {
    return undefined;
  }
}
