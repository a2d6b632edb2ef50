/** The parts of Tesseract's module that the program uses. */
export interface TesseractCore {
  readonly FS: {
    readonly writeFile: (path: string, bytes: Uint8Array) => void;
    readonly unlink: (path: string) => void;
  };
  readonly TessBaseAPI: new () => TesseractApi;
  readonly _malloc: (bytes: number) => number;
  readonly _free: (pointer: number) => void;
  /**
   * Reads the head of an image: its format (a number of Leptonica), and width, height, bits for each sample, samples for
   * each pixel and whether it has a colour map, as pointers to `i32`. Returns 0 on success.
   */
  readonly _pixReadHeaderMem: (
    data: number,
    size: number,
    format: number,
    width: number,
    height: number,
    bits: number,
    samples: number,
    hasColours: number,
  ) => number;
  /** Reads an image. Returns a pointer to Leptonica's `Pix`; 0 on failure. */
  readonly _pixReadMem: (data: number, size: number) => number;
  readonly getValue: (pointer: number, type: "i32") => number;
}

/** Tesseract's interface. */
export interface TesseractApi {
  /** Returns 0, or -1 if the data of a language cannot be used. `engine`: 1 for the neural network. */
  readonly Init: (folder: null, languages: string, engine: 1) => number;
  readonly SetVariable: (name: string, value: string) => boolean;
  /** Takes the image in the file `/input`. `orientation`: as in Exif, 1 … 8. Returns 0, or 1 if it cannot be read. */
  readonly SetImageFile: (orientation: number, angle: number) => number;
  /** Returns 0, or -1 on failure. */
  readonly Recognize: (monitor: null) => number;
  /** Returns a table with a row for each page, block, paragraph, line and word, `\t` between its cells. */
  readonly GetTSVText: (page: number) => string;
  readonly Clear: () => void;
  readonly End: () => void;
}

/** Makes an instance of the module. */
declare function core(options: {
  /** Starts the WebAssembly. Its exports have short names. */
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => void;
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
}): Promise<TesseractCore>;
export default core;
