/**
 * An open PDF, read by pdf.js in a worker. pdf.js is loaded with the first PDF, and each document once. Nothing of a PDF runs or leads
 * anywhere: scripts, links and forms are not loaded, its drawings are pixels.
 */
import type { PDFDocumentProxy, PDFPageProxy, RenderTask } from "pdfjs-dist";
import { callBytes } from "#web/api.ts";
import type { Box, PageText } from "#web/original/page_text.ts";

/** Milliseconds for opening a document and for each page. A hostile one may take any time. */
const MOST_MS = 30_000;
/** Pixels of a drawn page. Browsers draw nothing on larger canvases. */
const MOST_PIXELS = 16_000_000;
/** Items of text on a page that are compared. */
const MOST_ITEMS = 50_000;

/** The address of the worker, which no text of a document can become. */
const WORKER = "/pdf_worker.js";

type Policy = { createScriptURL(url: string): string };
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): Policy;
}

let policy: Policy | undefined;

/** Starts the worker. The policy of the pages allows the address of no other one. */
function startWorker(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("muxue-worker", {
    createScriptURL: (url) => {
      if (url !== WORKER) throw new TypeError("not the worker of the pages");
      return url;
    },
  });
  return new Worker(policy?.createScriptURL(WORKER) ?? WORKER, { type: "module" });
}

/** Why a PDF cannot be shown. */
type PdfProblem = "encrypted" | "damaged" | "slow";

export class PdfError extends Error {
  readonly problem: PdfProblem;

  constructor(problem: PdfProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** The place of a rectangle within a page, in parts of its width and height. */
export interface Spot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The size of a page in points, as it is shown. */
interface PageSize {
  readonly width: number;
  readonly height: number;
}

export class OpenPdf {
  readonly #pdf: PDFDocumentProxy;
  readonly #worker: Worker;
  readonly #texts = new Map<number, Promise<PageText>>();
  #task: RenderTask | undefined;

  private constructor(pdf: PDFDocumentProxy, worker: Worker) {
    this.#pdf = pdf;
    this.#worker = worker;
  }

  /** Opens the PDF at a path. Throws `CallError` and {@linkcode PdfError}. */
  static async open(path: string): Promise<OpenPdf> {
    // The worker takes longest to start.
    const port = startWorker();
    try {
      return new OpenPdf(await inTime(opening(path, port)), port);
    } catch (error) {
      port.terminate();
      throw error;
    }
  }

  get pageCount(): number {
    return this.#pdf.numPages;
  }

  /** The text of the pages from `first` to `last`. A page that cannot be read has none. */
  async texts(first: number, last: number): Promise<PageText[]> {
    const texts: Promise<PageText>[] = [];
    for (let page = Math.max(1, first); page <= Math.min(this.pageCount, last); page++) {
      let text = this.#texts.get(page);
      if (text === undefined) this.#texts.set(page, text = this.#text(page));
      texts.push(text);
    }
    return await Promise.all(texts);
  }

  async #text(page: number): Promise<PageText> {
    try {
      const { items, styles } = await inTime((await this.#page(page)).getTextContent());
      return { page, items: items.slice(0, MOST_ITEMS).filter((item) => "str" in item), styles };
    } catch {
      return { page, items: [], styles: {} };
    }
  }

  #page(number: number): Promise<PDFPageProxy> {
    return inTime(this.#pdf.getPage(number));
  }

  async size(number: number): Promise<PageSize> {
    const { width, height } = (await this.#page(number)).getViewport({ scale: 1 });
    return { width, height };
  }

  /** Where rectangles of a page are on it. */
  async spots(number: number, boxes: readonly Box[]): Promise<Spot[]> {
    const viewport = (await this.#page(number)).getViewport({ scale: 1 });
    const [a, b, c, d, e, f] = viewport.transform as [number, number, number, number, number, number];
    return boxes.map(({ left, bottom, right, top }) => {
      const [x1, x2] = [a * left + c * bottom + e, a * right + c * top + e];
      const [y1, y2] = [b * left + d * bottom + f, b * right + d * top + f];
      return {
        left: Math.min(x1, x2) / viewport.width,
        top: Math.min(y1, y2) / viewport.height,
        width: Math.abs(x2 - x1) / viewport.width,
        height: Math.abs(y2 - y1) / viewport.height,
      };
    });
  }

  /** Draws a page, `width` CSS pixels wide. Ends the drawing of any other page. Resolves with whether the page was drawn to its end. */
  async draw(number: number, canvas: HTMLCanvasElement, width: number): Promise<boolean> {
    this.#task?.cancel();
    const page = await this.#page(number);
    const plain = page.getViewport({ scale: 1 });
    const wanted = width * devicePixelRatio / plain.width;
    const most = Math.sqrt(MOST_PIXELS / (plain.width * plain.height));
    const viewport = page.getViewport({ scale: Math.min(wanted, most) });
    canvas.width = Math.max(1, Math.floor(viewport.width));
    canvas.height = Math.max(1, Math.floor(viewport.height));
    this.#task?.cancel();
    const task = page.render({ canvas, viewport });
    this.#task = task;
    try {
      await inTime(task.promise);
      return true;
    } catch (error) {
      task.cancel();
      if (error instanceof Error && error.name === "RenderingCancelledException") return false;
      throw error instanceof PdfError ? error : new PdfError("damaged");
    }
  }

  close(): void {
    this.#task?.cancel();
    void this.#pdf.loadingTask.destroy().catch(() => {});
    this.#worker.terminate();
  }
}

/** Opens the PDF at a path in a worker. */
async function opening(path: string, port: Worker): Promise<PDFDocumentProxy> {
  const [bytes, pdfjs] = await Promise.all([callBytes("originals/pdf", { path }), import("pdfjs-dist")]);
  const task = pdfjs.getDocument({
    data: bytes,
    worker: pdfjs.PDFWorker.create({ port }),
    useWasm: false,
    enableXfa: false,
    useWorkerFetch: false,
    BinaryDataFactory: CharacterMaps,
    cMapUrl: "cmap/",
    cMapPacked: true,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  });
  try {
    return await task.promise;
  } catch (error) {
    throw new PdfError(
      error instanceof Error && error.name === "PasswordException" ? "encrypted" : "damaged",
    );
  }
}

/** Gives pdf.js the character maps of fonts that are not in a PDF, as most Chinese ones. Other data it does without. */
class CharacterMaps {
  async "fetch"({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== "cMapUrl") throw new Error(`${filename} is not there`);
    return await callBytes("originals/cmap", { name: filename.replace(/\.bcmap$/, "") });
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PdfError("slow")), MOST_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The document that is shown, or was last. */
let kept: { readonly path: string; readonly pdf: Promise<OpenPdf> } | undefined;

/** The PDF at a path, opened once for all hits in it. The one before is closed. */
export function openedPdf(path: string): Promise<OpenPdf> {
  if (kept?.path === path) return kept.pdf;
  void kept?.pdf.then((pdf) => pdf.close(), () => {});
  const opening = { path, pdf: OpenPdf.open(path) };
  kept = opening;
  opening.pdf.catch(() => {
    if (kept === opening) kept = undefined;
  });
  return opening.pdf;
}
