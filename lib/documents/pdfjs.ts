/**
 * Opens PDF files with pdf.js, for reading their text.
 * Below it: repair of files that are cut off, character maps, and the transformations of a page.
 */
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { unpacked } from "./packed.ts";
import { DocumentError } from "./types.ts";

/**
 * Opens a PDF with pdf.js. An empty user password needs no input. The caller must close it with `loadingTask.destroy()`.
 * Images are left out, so that none is decoded. Throws {@linkcode DocumentError}.
 */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  try {
    return await open(bytes);
  } catch (error) {
    const mended = error instanceof DocumentError && error.problem === "damaged"
      ? withTrailer(bytes)
      : undefined;
    if (mended === undefined) throw error;
    return await open(mended);
  }
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocument, PDFWorker, VerbosityLevel } = await import("unpdf/pdfjs");
  let cmaps: Promise<ReadonlyMap<string, Uint8Array>> | undefined;
  /** Gives pdf.js its CMaps. Standard fonts are only needed for drawing; their widths are part of pdf.js. */
  class CMapFactory {
    async "fetch"({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      const found = kind === "cMapUrl"
        ? (await (cmaps ??= loadCMaps())).get(filename.replace(/\.bcmap$/, ""))
        : undefined;
      if (found === undefined) throw new Error(`${filename} is not there`);
      return found.slice();
    }
  }
  const port = new SharedPort();
  const otherHalf = await (PDFWorker as unknown as OtherHalf)._setupFakeWorkerGlobal;
  // It listens before the first half sends what it should print.
  otherHalf.initializeFromPort(port);
  const worker = new PDFWorker({ port: port as unknown as null, verbosity: VerbosityLevel.ERRORS });
  const task = getDocument({
    worker,
    // pdf.js takes ownership of the bytes.
    data: bytes.slice(),
    BinaryDataFactory: CMapFactory,
    cMapPacked: true,
    useWorkerFetch: false,
    useSystemFonts: false,
    // Otherwise the outline of every glyph is built. See SharedPort.
    disableFontFace: false,
    ownerDocument: { fonts: {} } as never,
    useWasm: false,
    maxImageSize: 0,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    throw documentError(error);
  }
}

/** Where pdf.js keeps its half that reads files, which is made for a thread of its own and waits for messages at a port. */
interface OtherHalf {
  readonly _setupFakeWorkerGlobal: Promise<{ readonly initializeFromPort: (port: SharedPort) => void }>;
}

/** A message between the halves of pdf.js. `chunk`: a part of the text or of the operators of a page. */
interface Message {
  readonly action?: string;
  readonly data?: unknown;
  readonly chunk?: Readonly<Record<string, unknown>>;
}

type Listener = (event: { readonly data: Message }) => void;

/**
 * Connects the halves of pdf.js in one thread. The port of pdf.js clones each message as for another thread, and with the operators of a
 * page every glyph of its text, which takes a tenth of the time of a PDF. This port shares the contents of a chunk, because neither half
 * changes what it was sent, and copies only its arrays, because the sender empties them.
 *
 * The half that draws cannot load fonts here, so it asks for the outlines of all glyphs of a font (`FontFallback`). They are not needed: the
 * request gets the name of a font that does not exist.
 */
class SharedPort {
  readonly #listeners = new Set<Listener>();
  readonly #sent = Promise.resolve();

  postMessage(message: Message, transfer?: Transferable[] | null): void {
    const data = message.chunk !== undefined
      ? { ...message, chunk: copied(message.chunk) }
      : message.action === "FontFallback"
      ? { ...message, data: { id: "none" } }
      : structuredClone(message, { transfer: transfer ?? [] });
    this.#sent.then(() => {
      for (const listener of this.#listeners) listener({ data });
    });
  }

  addEventListener(_: "message", listener: Listener, { signal }: { readonly signal: AbortSignal }): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener));
  }
}

function copied(chunk: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(chunk).map(([name, value]) => [name, Array.isArray(value) ? value.slice() : value]),
  );
}

/** Returns the `DocumentError` for an error of pdf.js. */
export function documentError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "PasswordException") {
    return new DocumentError("encrypted", "a password is needed to open the PDF", { cause: error });
  }
  if (/encrypt|security handler|crypt filter/i.test(message)) {
    return new DocumentError("encrypted", `the PDF is encrypted: ${message}`, { cause: error });
  }
  return new DocumentError("damaged", `the PDF cannot be read: ${message}`, { cause: error });
}

/** Largest file in bytes that is searched. */
const LARGEST_MENDED = 50_000_000;
/** Most positions that may name a catalog. The last one counts, since later changes are appended. */
const MOST_CATALOGS = 100;

/**
 * Returns a PDF that was cut off with a new trailer that names its catalog. pdf.js finds objects without a table, but needs
 * the trailer at the end. `undefined` if every catalog is in compressed objects.
 */
function withTrailer(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length > LARGEST_MENDED) return undefined;
  const text = new TextDecoder("latin1").decode(bytes);
  if (!/%PDF-\d/.test(text.slice(0, 2000))) return undefined;
  let root: string | undefined;
  let at = -1;
  for (let tries = 0; tries < MOST_CATALOGS; tries++) {
    at = text.indexOf("/Catalog", at + 1);
    if (at === -1) break;
    const before = text.slice(Math.max(0, at - 2000), at);
    const start = [...before.matchAll(/(\d{1,10}) (\d{1,5}) obj\b/g)].at(-1);
    if (start !== undefined && /\/Type\s*$/.test(before)) root = `${start[1]} ${start[2]} R`;
  }
  if (root === undefined) return undefined;
  const trailer = new TextEncoder().encode(
    `\nendstream endobj\ntrailer << /Root ${root} >>\nstartxref\n0\n%%EOF\n`,
  );
  const mended = new Uint8Array(bytes.length + trailer.length);
  mended.set(bytes);
  mended.set(trailer, bytes.length);
  return mended;
}

/**
 * Returns the predefined CMaps of PDF 2.0 (9.7.5.2) and the others of Adobe's cmap-resources, by name, in the binary form of
 * pdf.js. They map codes to characters for fonts that are not embedded, and for most Chinese, Japanese and Korean fonts.
 * `scripts/build_cmaps.ts` makes the file.
 */
export async function loadCMaps(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { default: { sizes, data } } = await import("./pdf/cmaps.json", { with: { type: "json" } });
  const all = unpacked(data);
  const cmaps = new Map<string, Uint8Array>();
  let at = 0;
  for (const [name, size] of Object.entries(sizes)) {
    cmaps.set(name, all.subarray(at, at + size));
    at += size;
  }
  return cmaps;
}

/** The numbers of the operators. */
export type Operators = typeof import("unpdf/pdfjs").OPS;

/** The drawing operators of a page with their arguments, as pdf.js lists them. */
export interface OperatorList {
  readonly fnArray: ArrayLike<number>;
  // deno-lint-ignore no-explicit-any -- pdf.js has no types for the arguments
  readonly argsArray: ArrayLike<any>;
}

/** An affine transformation as in PDF: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Returns the transformation that applies `inner`, then `outer`. */
export function combine(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** An operator with its arguments, and the transformation that applies to what it draws. */
interface PlacedOperator {
  readonly fn: number;
  // deno-lint-ignore no-explicit-any -- pdf.js has no types for the arguments
  readonly args: any;
  readonly matrix: Matrix;
}

/** Yields what a page draws under the transformation `base`. */
export function* placedOperators(
  { fnArray, argsArray }: OperatorList,
  ops: Operators,
  base: Matrix,
): Generator<PlacedOperator, void, undefined> {
  const stack: Matrix[] = [];
  let matrix = base;
  for (let i = 0; i < fnArray.length; i++) {
    const fn = fnArray[i]!, args = argsArray[i];
    if (fn === ops.save || fn === ops.paintFormXObjectBegin) stack.push(matrix);
    if (fn === ops.transform) matrix = combine(matrix, args as Matrix);
    else if (fn === ops.restore || fn === ops.paintFormXObjectEnd) matrix = stack.pop() ?? matrix;
    else if (fn === ops.paintFormXObjectBegin) {
      const inner = args?.[0];
      if (Array.isArray(inner) || ArrayBuffer.isView(inner)) {
        matrix = combine(matrix, inner as unknown as Matrix);
      }
    }
    yield { fn, args, matrix };
  }
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Returns the smallest rectangle around some points. */
export function boxAround(points: readonly (readonly [number, number])[]): {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
} {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Returns the direction of text in clockwise quarter turns, on a page where y grows downwards. Other angles are rounded. */
export function quarterTurns([a, b]: Matrix): 0 | 1 | 2 | 3 {
  return ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4) as 0 | 1 | 2 | 3;
}

/** Returns the transformation that makes text with so many quarter turns upright. Positions may become negative. */
export function uprightMatrix(turns: 0 | 1 | 2 | 3): Matrix {
  const turn: Record<number, Matrix> = {
    0: [1, 0, 0, 1, 0, 0],
    1: [0, -1, 1, 0, 0, 0],
    2: [-1, 0, 0, -1, 0, 0],
    3: [0, 1, -1, 0, 0, 0],
  };
  return turn[turns]!;
}
