/** The files of the pages: the built bundle, and the headers that every answer has. */
import { gunzipSync } from "node:zlib";
import { readProgramBytes } from "#foundation/boundary/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { PAGES_FOLDER } from "#foundation/runtime.ts";
import { PAGE_NAMES } from "./wire/common.ts";

/** Nothing but our own scripts, styles and pictures, nothing from elsewhere, and no text that becomes code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types muxue-worker",
].join("; ");

/** Headers of every answer, also of errors. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
};

/** The files of the bundle. A path is looked up in its list, and never becomes the path of a file. */
export class Bundle {
  readonly #names: Promise<ReadonlySet<string>>;
  readonly #files = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  constructor() {
    this.#names = namesIn();
    this.#names.catch(() => {});
  }

  /** Whether a path is an address of the pages. */
  async has(path: string): Promise<boolean> {
    return (await this.#names).has(nameOf(path));
  }

  /** The answer with the file at a path; `undefined` if there is none. */
  async answer(path: string, acceptEncoding: string | undefined): Promise<Response | undefined> {
    const name = nameOf(path);
    if (!(await this.#names).has(name)) return undefined;
    const packed = await this.#read(name);
    const isGzip = /\bgzip\b/i.test(acceptEncoding ?? "");
    return new Response(isGzip ? packed : Uint8Array.from(gunzipSync(packed)), {
      headers: {
        "Content-Type": TYPES[name.slice(name.lastIndexOf(".") + 1)] ??
          "application/octet-stream",
        ...(isGzip && { "Content-Encoding": "gzip" }),
      },
    });
  }

  #read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const file = this.#files.get(name) ??
      readProgramBytes(`${PAGES_FOLDER}/${name}.gz`).then((bytes) => {
        if (bytes === undefined) throw new UserError("pages_not_built");
        return bytes;
      });
    this.#files.set(name, file);
    file.catch(() => this.#files.delete(name));
    return file;
  }
}

/** The pages have one document. */
const DOCUMENTS: ReadonlySet<string> = new Set(["/", "/patterns", ...PAGE_NAMES.map((name) => `/${name}`)]);

function nameOf(path: string): string {
  return DOCUMENTS.has(path) ? "index.html" : path.slice(1);
}

/** Throws `UserError` `pages_not_built` where this program has no bundle. */
export async function checkPages(): Promise<void> {
  await namesIn();
}

async function namesIn(): Promise<ReadonlySet<string>> {
  const bytes = await readProgramBytes(`${PAGES_FOLDER}/files.json`);
  if (bytes === undefined) throw new UserError("pages_not_built");
  return new Set(JSON.parse(new TextDecoder().decode(bytes)));
}
