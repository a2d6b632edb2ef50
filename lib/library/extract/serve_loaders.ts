/**
 * The parsing thread's side of an extractor process: it receives documents and answers with their text.
 * The main thread of the process is `process.ts`.
 */
import {
  type Document,
  DocumentError,
  type DocumentProblem,
  type FileName,
  type Loader,
  type PictureAnswer,
  type PictureRequest,
  readPictures,
} from "#documents/mod.ts";

/** A request to read a document, or its pictures. The bytes of the document follow it. */
export interface ExtractRequest extends Pick<FileName, "path" | "encoding" | "ignoreImages"> {
  readonly id: number;
  /** Name of a format in `FORMATS`, or what is wanted of the pictures in a document of any format. */
  readonly format: string | PictureRequest;
}

/** The document without its text, which follows as UTF-8, or the answer about pictures, before one of them, or the reason why there is none. */
export type ExtractResponse =
  & { readonly id: number; /** The process ends now. */ readonly last?: boolean }
  & (
    | { readonly document: Omit<Document, "text"> }
    | { readonly pictures: PictureAnswer }
    | { readonly error: { readonly problem: DocumentProblem; readonly message: string } }
  );

/** A document to parse. */
interface LoaderTask {
  readonly request: ExtractRequest;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The connection of the parsing thread to the main thread of its process. */
interface ThreadScope {
  readonly onTask: (callback: (task: LoaderTask) => void) => void;
  readonly post: (message: unknown, transfer: Transferable[]) => void;
}

/** Answers requests of the main thread of an extractor process. First tells it that the modules are loaded. */
export function serveLoaders(
  scope: ThreadScope,
  loaderOf: (format: string) => Promise<Loader | undefined>,
): void {
  // With damaged files, pdf.js leaves promises rejected that nobody waits for. They must not end the thread.
  globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());
  scope.onTask(async ({ request, bytes }) => {
    const { id, format, ...file } = request;
    try {
      if (typeof format !== "string") {
        const { answer: pictures, bytes: picture } = await readPictures(bytes, file, format);
        return answer({ id, pictures }, picture);
      }
      const loader = await loaderOf(format);
      if (loader === undefined) throw new DocumentError("unsupported", `no loader for ${format}`);
      const { text, ...rest } = await loader.load(bytes, file);
      const body = new TextEncoder().encode(text);
      answer({ id, document: rest }, body);
    } catch (error) {
      answer({ id, error: problemOf(error) }, new Uint8Array());
    }
  });
  scope.post("ready", []);

  function answer(response: ExtractResponse, body: Uint8Array<ArrayBuffer>): void {
    scope.post({ response, body }, [body.buffer]);
  }
}

/** Returns the error to send. Errors other than {@linkcode DocumentError} are caused by broken bytes. */
function problemOf(error: unknown): { problem: DocumentError["problem"]; message: string } {
  if (error instanceof DocumentError) return { problem: error.problem, message: error.message };
  // Stack overflow, or a string or array that is too long.
  if (error instanceof RangeError) return { problem: "too_complex", message: error.message };
  return { problem: "damaged", message: error instanceof Error ? error.message : String(error) };
}
