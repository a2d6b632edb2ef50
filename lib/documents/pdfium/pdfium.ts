/**
 * PDFium as WebAssembly: opens a PDF, draws its pages and lists their pictures.
 * Below it: the functions that the WebAssembly imports, and the types of those that it exports.
 */
import { unpacked } from "../packed.ts";
import { DocumentError } from "../types.ts";
import { boxAround, combine, type Matrix } from "../pdfjs.ts";
import type { Pixels } from "../pictures/types.ts";

/** A picture that a page draws. */
export interface PagePicture {
  /** Size in pixels. */
  readonly width: number;
  readonly height: number;
  /** Its place in points from the upper left corner of the page, as the page is shown. */
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  /** Names of the filters that its bytes passed: `DCTDecode` … */
  readonly filters: readonly string[];
  /** Returns its bytes as the file stores them. The page must not be closed. */
  readonly stored: () => Uint8Array<ArrayBuffer>;
  /** Returns its pixels; `undefined` if it cannot be decoded. The page must not be closed. */
  readonly pixels: () => Pixels | undefined;
}

/** Most pixels of a picture or page. */
export const MOST_PIXELS = 50_000_000;
/** Deepest nesting of drawings within drawings, and most objects of a page that are looked at. */
const DEEPEST = 8;
const MOST_OBJECTS = 200_000;
/** Most annotations of a page that are looked at. Each may have a drawing. */
const MOST_ANNOTATIONS = 1_000;

let compiled: Promise<WebAssembly.Module> | undefined;

/** Returns PDFium's code, which is compiled once in a thread: it takes about 80 ms. */
function code(): Promise<WebAssembly.Module> {
  return compiled ??= import("./pdfium_wasm.ts").then(({ data }) => WebAssembly.compile(unpacked(data)));
}

/**
 * Opens a PDF. Each has an instance of PDFium with a memory of its own, which is free when the document is not used any more. An
 * empty user password needs no input. Throws {@linkcode DocumentError}; so may every method.
 */
export async function openWithPdfium(bytes: Uint8Array): Promise<PdfiumDocument> {
  return new PdfiumDocument(await code(), bytes);
}

/** A PDF, opened by PDFium. */
export class PdfiumDocument {
  readonly #pdfium: Exports;
  readonly #document: number;
  readonly pageCount: number;

  constructor(module: WebAssembly.Module, bytes: Uint8Array) {
    this.#pdfium = start(module);
    const at = this.#allocated(bytes.length);
    new Uint8Array(this.#pdfium.memory.buffer).set(bytes, at);
    this.#document = this.#pdfium.FPDF_LoadMemDocument(at, bytes.length, 0);
    if (this.#document === 0) throw openingError(this.#pdfium.FPDF_GetLastError());
    this.pageCount = this.#pdfium.FPDF_GetPageCount(this.#document);
  }

  /** Returns a page by its number, counted from 1. */
  page(number: number): PdfiumPage {
    const page = this.#pdfium.FPDF_LoadPage(this.#document, number - 1);
    if (page === 0) throw new DocumentError("damaged", `page ${number} of the PDF cannot be read`);
    return new PdfiumPage(this.#pdfium, page, this.#scratch());
  }

  #scratchAt = 0;

  /** Memory for the results of calls. */
  #scratch(): number {
    return this.#scratchAt ||= this.#allocated(SCRATCH);
  }

  #allocated(size: number): number {
    return allocated(this.#pdfium, size);
  }
}

/** Bytes for the results of calls: six numbers, or the name of a filter. */
const SCRATCH = 256;

/** A page, with its size in points as it is shown. */
export class PdfiumPage implements Disposable {
  readonly #pdfium: Exports;
  readonly #page: number;
  readonly #scratch: number;
  readonly #annotations: number[] = [];
  readonly width: number;
  readonly height: number;

  constructor(pdfium: Exports, page: number, scratch: number) {
    this.#pdfium = pdfium;
    this.#page = page;
    this.#scratch = scratch;
    this.width = pdfium.FPDF_GetPageWidthF(page);
    this.height = pdfium.FPDF_GetPageHeightF(page);
  }

  /** Draws the page in so many pixels, on white, with annotations and filled-in fields. `turns`: clockwise quarter turns. */
  render(width: number, height: number, turns: 0 | 1 | 2 | 3 = 0): Pixels {
    if (!(width >= 1 && height >= 1) || width * height > MOST_PIXELS) {
      throw new DocumentError("too_complex", `a picture of ${width} × ${height} pixels`);
    }
    const pdfium = this.#pdfium;
    return guarded(() => {
      const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
      if (bitmap === 0) throw new DocumentError("too_complex", "the page needs too much memory");
      try {
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
        pdfium.FPDF_RenderPageBitmap(bitmap, this.#page, 0, 0, width, height, turns, ANNOTATIONS);
        return pixelsOf(pdfium, bitmap)!;
      } finally {
        pdfium.FPDFBitmap_Destroy(bitmap);
      }
    });
  }

  /** Returns the number of lines and curves that the page draws, counted until there are `enough`. */
  countSegments(enough: number): number {
    let count = 0;
    for (const { type, object } of this.#objects()) {
      if (type === PATH) count += this.#pdfium.FPDFPath_CountSegments(object);
      if (count >= enough) break;
    }
    return count;
  }

  /** Yields the pictures that the page draws, in their order, and then those of its annotations, such as stamps. */
  *pictures(): Generator<PagePicture, void, undefined> {
    for (const { type, object, outer } of this.#objects()) {
      const own = type === IMAGE ? this.#matrixOf(object) : undefined;
      const picture = own && this.#pictureOf(type, object, () => this.#boxOf(combine(outer, own)));
      if (picture !== undefined) yield picture;
    }
    yield* this.#picturesOfAnnotations();
  }

  /** The drawing of an annotation is fitted into its rectangle, which is given as the place of each of its pictures. */
  *#picturesOfAnnotations(): Generator<PagePicture, void, undefined> {
    const pdfium = this.#pdfium;
    const count = Math.min(MOST_ANNOTATIONS, pdfium.FPDFPage_GetAnnotCount(this.#page));
    // Many annotations can have the same drawing, which takes time and memory for each.
    const room = { left: MOST_OBJECTS };
    for (let i = 0; i < count && room.left > 0; i++) {
      const annotation = pdfium.FPDFPage_GetAnnot(this.#page, i);
      if (annotation === 0) continue;
      // They must stay open for their pictures.
      this.#annotations.push(annotation);
      if ((pdfium.FPDFAnnot_GetFlags(annotation) & UNSEEN) !== 0) continue;
      const objects = pdfium.FPDFAnnot_GetObjectCount(annotation);
      const at = (i: number) => pdfium.FPDFAnnot_GetObject(annotation, i);
      for (const { type, object } of this.#objectsIn(objects, at, room)) {
        const picture = this.#pictureOf(type, object, () => this.#rectangleOf(annotation));
        if (picture !== undefined) yield picture;
      }
    }
  }

  #pictureOf(type: number, object: number, boxOf: () => PagePicture["box"]): PagePicture | undefined {
    if (type !== IMAGE) return undefined;
    const [width, height] = this.#pairOf((x, y) => this.#pdfium.FPDFImageObj_GetImagePixelSize(object, x, y));
    if (!(width > 0 && height > 0)) return undefined;
    return {
      width,
      height,
      box: boxOf(),
      filters: this.#filtersOf(object),
      stored: () => this.#storedBytes(object),
      pixels: () => this.#decoded(object, width, height),
    };
  }

  [Symbol.dispose](): void {
    for (const annotation of this.#annotations.splice(0)) this.#pdfium.FPDFPage_CloseAnnot(annotation);
    this.#pdfium.FPDF_ClosePage(this.#page);
  }

  /** Returns what the page draws, also inside of drawings. */
  #objects(): Generator<PageObject, void, undefined> {
    const count = this.#pdfium.FPDFPage_CountObjects(this.#page);
    return this.#objectsIn(count, (i) => this.#pdfium.FPDFPage_GetObject(this.#page, i), {
      left: MOST_OBJECTS,
    });
  }

  /** Yields the objects of a list and those inside of drawings in it. `room`: how many may be looked at, counted down. */
  *#objectsIn(
    count: number,
    at: (i: number) => number,
    room: { left: number },
  ): Generator<PageObject, void, undefined> {
    const pdfium = this.#pdfium;
    const visit = function* (
      this: PdfiumPage,
      count: number,
      at: (i: number) => number,
      outer: Matrix,
      depth: number,
    ): Generator<PageObject, void, undefined> {
      for (let i = 0; i < count && room.left > 0; i++) {
        room.left--;
        const object = at(i);
        const type = pdfium.FPDFPageObj_GetType(object);
        if (type !== FORM) {
          yield { type, object, outer };
          continue;
        }
        const own = this.#matrixOf(object);
        if (own === undefined || depth === DEEPEST) continue;
        const inner = pdfium.FPDFFormObj_CountObjects(object);
        const part = (i: number) => pdfium.FPDFFormObj_GetObject(object, i);
        yield* visit.call(this, inner, part, combine(outer, own), depth + 1);
      }
    };
    yield* visit.call(this, count, at, [1, 0, 0, 1, 0, 0], 0);
  }

  #matrixOf(object: number): Matrix | undefined {
    if (this.#pdfium.FPDFPageObj_GetMatrix(object, this.#scratch) === 0) return undefined;
    const matrix = [...new Float32Array(this.#pdfium.memory.buffer, this.#scratch, 6)];
    return matrix.every(Number.isFinite) ? matrix as unknown as Matrix : undefined;
  }

  /** Returns the box around the unit square under a transformation, on the page as it is shown. */
  #boxOf([a, b, c, d, e, f]: Matrix): PagePicture["box"] {
    return this.#boxAround([[e, f], [e + a, f + b], [e + c, f + d], [e + a + c, f + b + d]]);
  }

  /** Returns the box of an annotation; an empty one if its rectangle cannot be read. */
  #rectangleOf(annotation: number): PagePicture["box"] {
    const isRead = this.#pdfium.FPDFAnnot_GetRect(annotation, this.#scratch) !== 0;
    const sides = isRead ? [...new Float32Array(this.#pdfium.memory.buffer, this.#scratch, 4)] : [];
    const [left, top, right, bottom] = sides.every(Number.isFinite) && isRead ? sides : [0, 0, 0, 0];
    return this.#boxAround([[left!, top!], [right!, bottom!]]);
  }

  #boxAround(points: readonly (readonly [number, number])[]): PagePicture["box"] {
    // The device gets a hundred pixels for a point, since it counts in whole pixels.
    const [width, height] = [Math.round(this.width * 100), Math.round(this.height * 100)];
    const corners = points.map(([x, y]) =>
      this.#pairOf((atX, atY) =>
        this.#pdfium.FPDF_PageToDevice(this.#page, 0, 0, width, height, 0, x, y, atX, atY)
      )
    );
    return boxAround(corners.map(([x, y]) => [x / 100, y / 100]));
  }

  /** Calls a function that writes two whole numbers. */
  #pairOf(call: (first: number, second: number) => number): [number, number] {
    const at = this.#scratch;
    if (call(at, at + 4) === 0) return [0, 0];
    const [first, second] = new Int32Array(this.#pdfium.memory.buffer, at, 2);
    return [first!, second!];
  }

  #filtersOf(object: number): string[] {
    const count = Math.min(10, this.#pdfium.FPDFImageObj_GetImageFilterCount(object));
    return Array.from({ length: count }, (_, i) => {
      const length = this.#pdfium.FPDFImageObj_GetImageFilter(object, i, this.#scratch, SCRATCH);
      if (length <= 1 || length > SCRATCH) return "";
      return new TextDecoder().decode(
        new Uint8Array(this.#pdfium.memory.buffer, this.#scratch, length - 1),
      );
    });
  }

  #storedBytes(object: number): Uint8Array<ArrayBuffer> {
    const pdfium = this.#pdfium;
    return guarded(() => {
      const size = pdfium.FPDFImageObj_GetImageDataRaw(object, 0, 0);
      if (size === 0) return new Uint8Array();
      const at = allocated(pdfium, size);
      try {
        pdfium.FPDFImageObj_GetImageDataRaw(object, at, size);
        return new Uint8Array(pdfium.memory.buffer.slice(at, at + size) as ArrayBuffer);
      } finally {
        pdfium.free(at);
      }
    });
  }

  #decoded(object: number, width: number, height: number): Pixels | undefined {
    if (width * height > MOST_PIXELS) {
      throw new DocumentError("too_complex", `the picture has ${width} × ${height} pixels`);
    }
    return guarded(() => {
      const bitmap = this.#pdfium.FPDFImageObj_GetBitmap(object);
      if (bitmap === 0) return undefined;
      try {
        return pixelsOf(this.#pdfium, bitmap);
      } finally {
        this.#pdfium.FPDFBitmap_Destroy(bitmap);
      }
    });
  }
}

/** Something that a page draws. `outer`: the transformation around it. */
interface PageObject {
  readonly type: number;
  readonly object: number;
  readonly outer: Matrix;
}

/** Formats of bitmaps, types of objects, and the flag that draws annotations. */
const GREY = 1, BGR = 2, BGRX = 3, BGRA = 4;
const PATH = 2, IMAGE = 3, FORM = 5;
const ANNOTATIONS = 1;
/** The flags Hidden and NoView of an annotation (ISO 32000-2, table 167). */
const UNSEEN = 0b100010;

/** Returns the pixels of a bitmap; `undefined` for a format that has none. */
function pixelsOf(pdfium: Exports, bitmap: number): Pixels | undefined {
  const width = pdfium.FPDFBitmap_GetWidth(bitmap), height = pdfium.FPDFBitmap_GetHeight(bitmap);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap), format = pdfium.FPDFBitmap_GetFormat(bitmap);
  const size = { [GREY]: 1, [BGR]: 3, [BGRX]: 4, [BGRA]: 4 }[format];
  if (size === undefined || width * height > MOST_PIXELS) return undefined;
  const from = new Uint8Array(
    pdfium.memory.buffer as ArrayBuffer,
    pdfium.FPDFBitmap_GetBuffer(bitmap),
    stride * height,
  );
  const channels = format === GREY ? 1 : format === BGRA ? 4 : 3;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, at = y * stride; x < width; x++, at += size, to += channels) {
      if (channels === 1) {
        data[to] = from[at]!;
        continue;
      }
      data[to] = from[at + 2]!;
      data[to + 1] = from[at + 1]!;
      data[to + 2] = from[at]!;
      if (channels === 4) data[to + 3] = from[at + 3]!;
    }
  }
  return { width, height, channels, data };
}

function allocated(pdfium: Exports, size: number): number {
  const at = pdfium.malloc(Math.max(1, size));
  if (at === 0) throw new DocumentError("too_complex", "the PDF needs too much memory");
  return at;
}

/** The codes of `FPDF_GetLastError` for a password and a security handler that is not known. */
const PASSWORD = 4, SECURITY = 5;

function openingError(code: number): DocumentError {
  if (code === PASSWORD) return new DocumentError("encrypted", "a password is needed to open the PDF");
  if (code === SECURITY) return new DocumentError("encrypted", "the PDF is encrypted in an unknown way");
  return new DocumentError("damaged", "the PDF cannot be read");
}

/** Calls PDFium. An instance that has given up must not be used again, and all its documents are unreadable then. */
function guarded<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error === JUMP || error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
      const reason = error === JUMP ? "error in a picture" : (error as Error).message;
      throw new DocumentError("too_complex", `PDFium has given up: ${reason}`, { cause: error });
    }
    throw error;
  }
}

/** Thrown through WebAssembly by `longjmp` of C, which PDFium uses for errors in pictures. */
const JUMP = Symbol("longjmp");
/** The answer of a system call: there is no such file. */
const NO_ENTRY = -44;
const PAGE = 65_536;

/**
 * Starts an instance. It has no files, no environment and no network: the calls for them fail. Each of its functions throws
 * {@linkcode DocumentError} when PDFium gives up.
 */
function start(module: WebAssembly.Module): Exports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: group, name } of WebAssembly.Module.imports(module)) {
    (imports[group] ??= {})[name] = importOf(name);
  }
  const exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
  const safe = Object.fromEntries(
    Object.entries(exports).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "function" ? (...args: number[]) => guarded(() => (value as Call)(...args)) : value,
    ]),
  ) as unknown as Exports;
  safe.__wasm_call_ctors();
  safe.PDFiumExt_Init();
  return safe;

  function importOf(name: string): (...args: number[]) => number | void {
    if (name.startsWith("invoke_")) return invoke;
    if (name.startsWith("__syscall_")) return () => NO_ENTRY;
    switch (name) {
      case "_emscripten_throw_longjmp":
        return () => {
          throw JUMP;
        };
      case "emscripten_resize_heap":
        return grow;
      case "_emscripten_memcpy_js":
        return copy;
      case "emscripten_date_now":
        return () => Date.now();
      case "_abort_js":
      case "__assert_fail":
        return () => {
          throw new WebAssembly.RuntimeError("aborted");
        };
      default:
        return () => 0;
    }
  }

  /** Calls a function of the table, and comes back here after a jump. */
  function invoke(index: number, ...args: number[]): number {
    const stack = exports.emscripten_stack_get_current();
    try {
      const call = exports["__indirect_function_table"].get(index) as Call;
      return call(...args);
    } catch (error) {
      exports._emscripten_stack_restore(stack);
      if (error !== JUMP) throw error;
      exports.setThrew(1, 0);
      return 0;
    }
  }

  function copy(to: number, from: number, size: number): void {
    new Uint8Array(exports.memory.buffer).copyWithin(to >>> 0, from >>> 0, (from >>> 0) + (size >>> 0));
  }

  function grow(size: number): number {
    // A size over 2 GB arrives as a negative number.
    const missing = (size >>> 0) - exports.memory.buffer.byteLength;
    try {
      exports.memory.grow(Math.ceil(missing / PAGE));
      return 1;
    } catch {
      return 0;
    }
  }
}

type Call = (...args: number[]) => number;

/** The exports that are used. Addresses and handles are numbers. */
interface Exports extends Readonly<Record<CallName, Call>> {
  readonly memory: WebAssembly.Memory;
  readonly "__indirect_function_table": WebAssembly.Table;
}

type CallName =
  | "__wasm_call_ctors"
  | "PDFiumExt_Init"
  | "malloc"
  | "free"
  | "setThrew"
  | "emscripten_stack_get_current"
  | "_emscripten_stack_restore"
  | "FPDF_LoadMemDocument"
  | "FPDF_GetLastError"
  | "FPDF_GetPageCount"
  | "FPDF_LoadPage"
  | "FPDF_ClosePage"
  | "FPDF_GetPageWidthF"
  | "FPDF_GetPageHeightF"
  | "FPDF_PageToDevice"
  | "FPDF_RenderPageBitmap"
  | "FPDFBitmap_CreateEx"
  | "FPDFBitmap_FillRect"
  | "FPDFBitmap_Destroy"
  | "FPDFBitmap_GetBuffer"
  | "FPDFBitmap_GetFormat"
  | "FPDFBitmap_GetWidth"
  | "FPDFBitmap_GetHeight"
  | "FPDFBitmap_GetStride"
  | "FPDFPage_GetAnnotCount"
  | "FPDFPage_GetAnnot"
  | "FPDFPage_CloseAnnot"
  | "FPDFAnnot_GetFlags"
  | "FPDFAnnot_GetObjectCount"
  | "FPDFAnnot_GetObject"
  | "FPDFAnnot_GetRect"
  | "FPDFPage_CountObjects"
  | "FPDFPage_GetObject"
  | "FPDFFormObj_CountObjects"
  | "FPDFFormObj_GetObject"
  | "FPDFPageObj_GetType"
  | "FPDFPageObj_GetMatrix"
  | "FPDFPath_CountSegments"
  | "FPDFImageObj_GetImagePixelSize"
  | "FPDFImageObj_GetImageFilterCount"
  | "FPDFImageObj_GetImageFilter"
  | "FPDFImageObj_GetImageDataRaw"
  | "FPDFImageObj_GetBitmap";
