/**
 * The parsing thread's side of an extractor process: it receives documents and answers with their text.
 * The main thread of the process is `process.ts`.
 */
import {
  archiveReader,
  type ArchiveRequest,
  type Document,
  DocumentError,
  type DocumentProblem,
  type FileName,
  joinedBytes,
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
  /** The file is an archive: its files are listed, or the contents of those that are wanted are read. */
  readonly inside?: Omit<ArchiveRequest, "path" | "limits">;
}

/** Why something could not be read. */
export interface Problem {
  readonly problem: DocumentProblem;
  readonly message: string;
}

/** The files of an archive. */
export interface ListedArchive {
  readonly entries: readonly {
    readonly path: string;
    readonly size: number;
    readonly mtimeMs?: number;
    readonly problem?: Problem;
  }[];
  /** Why there may be more of them. */
  readonly problem?: Problem;
}

/** The length of a file's content in the bytes that follow, or the reason why there is none. */
export type ArchivePart =
  & { readonly path: string }
  & ({ readonly length: number } | { readonly error: Problem });

/**
 * The head of an answer: a document without its text, which follows as UTF-8; an answer about pictures, which the bytes of one may
 * follow; the files of an archive, or their lengths before their contents; or the reason why there is no answer.
 */
export type ExtractResponse =
  & { readonly id: number; /** The process ends now. */ readonly last?: boolean }
  & (
    | { readonly document: Omit<Document, "text"> }
    | { readonly pictures: PictureAnswer }
    | { readonly archive: ListedArchive }
    | { readonly parts: readonly ArchivePart[] }
    | { readonly error: Problem }
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
    const { id, format, inside, ...file } = request;
    try {
      if (typeof format !== "string") {
        const { answer: pictures, contents } = await readPictures(bytes, file, format);
        return answer({ id, pictures }, joinedBytes(contents));
      }
      if (inside !== undefined) return await answerInside(id, bytes, { path: file.path, ...inside });
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

  async function answerInside(id: number, bytes: Uint8Array, wanted: ArchiveRequest): Promise<void> {
    const { listArchive, readArchive } = await archiveReader();
    if (wanted.wanted === undefined) {
      const { entries, problem } = listArchive(bytes, wanted);
      const listed = entries.map(({ problem, ...entry }) => ({
        ...entry,
        ...(problem === undefined ? {} : { problem: problemOf(problem) }),
      }));
      const archive = { entries: listed, ...(problem === undefined ? {} : { problem: problemOf(problem) }) };
      return answer({ id, archive }, new Uint8Array());
    }
    const parts: ArchivePart[] = [];
    const contents: Uint8Array[] = [];
    for (const [path, content] of readArchive(bytes, wanted)) {
      if (content instanceof DocumentError) parts.push({ path, error: problemOf(content) });
      else {
        parts.push({ path, length: content.length });
        contents.push(content);
      }
    }
    answer({ id, parts }, joinedBytes(contents));
  }

  function answer(response: ExtractResponse, body: Uint8Array<ArrayBuffer>): void {
    scope.post({ response, body }, [body.buffer]);
  }
}

/** Returns the error to send. Errors other than {@linkcode DocumentError} are caused by broken bytes. */
function problemOf(error: unknown): Problem {
  if (error instanceof DocumentError) return { problem: error.problem, message: error.message };
  // Stack overflow, or a string or array that is too long.
  if (error instanceof RangeError) return { problem: "too_complex", message: error.message };
  return { problem: "damaged", message: error instanceof Error ? error.message : String(error) };
}
