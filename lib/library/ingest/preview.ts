/**
 * A look at a folder before it is indexed: what would be read, how much time and space that takes, and what the user may wish to
 * leave out. It reads names, sizes and the beginnings of texts, and writes nothing.
 */
import { join } from "node:path";
import { type Config, folderConfig } from "#foundation/configuration/mod.ts";
import { fillSync, openInside } from "#foundation/boundary/mod.ts";
import { formatByName } from "#documents/mod.ts";
import { type Found, type SkipReason, walk, walkOptions } from "#library/corpus/mod.ts";
import { fileError } from "#foundation/boundary/mod.ts";
import { message } from "#foundation/messages/mod.ts";
import type { FileFailure } from "./types.ts";

/** Files of one kind that would be read. */
export interface PreviewedKind {
  /** Name of a format, `code`, or `text` for other texts. */
  readonly kind: string;
  readonly files: number;
  readonly bytes: number;
}

/** From the lowest to the highest number that is likely. */
export type Range = readonly [low: number, high: number];

/** Why a path may hold what others should not read. */
export type SensitiveReason =
  /** A file for keys or passwords, by its name. */
  | "secret_name"
  /** Its beginning holds a key, a token or a password. */
  | "secret_content"
  /** The name of the folder says that it is private. */
  | "private_folder"
  /** A folder that tools make: packages, results of a build. */
  | "made_by_tools";

/** A file or folder that the user may wish to leave out, or that is left out. */
export interface SensitivePath {
  /** Relative to the folder, `/` between its parts; that of a folder ends with `/`. */
  readonly path: string;
  readonly reason: SensitiveReason;
  /** Why it is left out. Absent if it would be read. */
  readonly leftOut?: SkipReason;
  /** Files in the folder that would be read, and their bytes. Absent for a file. */
  readonly files?: number;
  readonly bytes?: number;
}

/** The result of {@linkcode previewFolder}. */
export interface FolderPreview {
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  /** The largest first. */
  readonly kinds: readonly PreviewedKind[];
  /** Number of files and folders that are left out, by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly failed: readonly FileFailure[];
  readonly seconds: Range;
  readonly indexBytes: Range;
  readonly sensitive: readonly SensitivePath[];
  /** Lines for `.muxueragignore` that leave out the sensitive paths that would be read. */
  readonly ignoreLines: readonly string[];
}

/**
 * Bytes that are read in a second, and bytes of the index for each byte: measured on 36 PDF (2.4 MB), 8 DOCX (0.3 MB), 162 texts
 * (1.1 MB) and 394 source files (10 MB), on a server of two cores that were busy otherwise. Other kinds were not measured.
 */
const RATES: Readonly<Record<string, readonly [bytesPerSecond: number, indexPerByte: number]>> = {
  text: [600_000, 3],
  code: [1_350_000, 1.1],
  pdf: [420_000, 0.1],
  docx: [200_000, 0.1],
};
const OTHER_RATE = [300_000, 0.5] as const;
/** Factors from the measured figures to the lowest and the highest that are likely on other machines. */
const SPREAD = { low: 0.25, high: 3 };
/** Seconds that a run takes with one file. */
const START_SECONDS = 0.3;

/** Bytes at the beginning of a text that are looked at for secrets. */
const HEAD = 4096;

/** Looks at the folder `root` (a real path). Throws what listing it throws, and the reason of the signal. */
export async function previewFolder(
  root: string,
  config: Config,
  { ownPlaces, signal }: {
    readonly ownPlaces?: readonly string[] | undefined;
    readonly signal?: AbortSignal;
  },
): Promise<FolderPreview> {
  const options = walkOptions(folderConfig(config, root), ownPlaces);
  const kinds = new Map<string, { kind: string; files: number; bytes: number }>();
  const skipped: Partial<Record<SkipReason, number>> = {};
  const failed: FileFailure[] = [];
  const sensitive = new SensitivePaths();
  for await (const found of walk(root, { ...options, signal })) {
    if (found.kind === "skipped") {
      skipped[found.reason] = (skipped[found.reason] ?? 0) + 1;
      sensitive.addSkipped(found);
    } else if (found.kind === "failed") {
      const { key, params } = fileError(found.error, found.path);
      failed.push({ path: found.path, reason: message(config.language, key, params) });
    } else if (found.kind === "file") {
      const kind = kindOf(found.path);
      const all = kinds.get(kind) ?? { kind, files: 0, bytes: 0 };
      kinds.set(kind, { kind, files: all.files + 1, bytes: all.bytes + found.size });
      const isText = kind === "text" || kind === "code";
      sensitive.add(found, isText ? await headOf(join(root, ...found.path.split("/"))) : "");
    }
  }
  const sorted = [...kinds.values()].sort((a, b) => b.bytes - a.bytes);
  const sum = (of: (kind: PreviewedKind) => number) => sorted.reduce((total, kind) => total + of(kind), 0);
  const rate = ({ kind }: PreviewedKind) => RATES[kind] ?? OTHER_RATE;
  const listed = sensitive.listed();
  return {
    root,
    files: sum(({ files }) => files),
    bytes: sum(({ bytes }) => bytes),
    kinds: sorted,
    skipped,
    failed,
    seconds: range(START_SECONDS + sum((kind) => kind.bytes / rate(kind)[0])),
    indexBytes: range(sum((kind) => kind.bytes * rate(kind)[1])),
    sensitive: listed,
    ignoreLines: listed.filter(({ leftOut }) => leftOut === undefined).map(({ path }) => ignoreLine(path)),
  };
}

function range(likely: number): Range {
  return [likely * SPREAD.low, likely * SPREAD.high];
}

const CODE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|lua|sh|ps1|sql|r|m|dart|vue)$/i;

function kindOf(path: string): string {
  return formatByName(path) ?? (CODE.test(path) ? "code" : "text");
}

/** The first characters of a file, each for one byte; empty if it cannot be read. */
async function headOf(path: string): Promise<string> {
  try {
    using file = await openInside({ real: path });
    const bytes = new Uint8Array(HEAD);
    return new TextDecoder("latin1").decode(bytes.subarray(0, fillSync(file, bytes)));
  } catch {
    return "";
  }
}

/** Names of files for keys and passwords. */
const SECRET_NAME = new RegExp(
  [
    /^\.?env(?:\..+)?$|^\.(?:netrc|pgpass|npmrc|pypirc|htpasswd|git-credentials|dockercfg)$/,
    /^id_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:pem|key|ppk|p12|pfx|jks|keystore|kdbx?|ovpn|gpg)$/,
    /^(?:credentials?|secrets?|passwords?|passwd|tokens?|apikeys?|api[-_]keys?)(?:\.[a-z]+)?$/,
    /service[-_]?account.*\.json$|client[-_]secret.*\.json$|wallet\.dat$|recovery[-_ ]?codes?|密码|口令|密钥|私钥|助记词/,
  ].map(({ source }) => source).join("|"),
  "i",
);

/** Keys and tokens with a form of their own, and a value that follows the word for one. */
const SECRET_CONTENT = new RegExp(
  [
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY/,
    /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}|\bglpat-[\w-]{20}/,
    /\bxox[abprs]-[\w-]{10,}|\bAIza[\w-]{35}|\bsk-[\w-]{20,}|\bhf_[A-Za-z0-9]{30,}|\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\./,
    /\b(?:password|passwd|secret|api_?key|access_?token|auth_?token|client_?secret)["']?\s{0,4}[:=]\s{0,4}["']?[^\s"'<>${}()]{8,}/,
  ].map(({ source }) => source).join("|"),
  "i",
);

const PRIVATE_FOLDER = new RegExp(
  "^(?:private|personal|confidential|secrets?|passwords?|medical|health|salar(?:y|ies)|payroll|payslips?|tax(?:es)?|bank(?:ing)?|" +
    "passports?|diar(?:y|ies)|hr|\\.ssh|\\.gnupg|\\.aws|\\.azure|\\.kube|\\.password-store)$|私人|私密|隐私|机密|保密|绝密|密码|工资|薪资|薪酬|病历|体检|" +
    "报税|税务|银行|身份证|护照|日记|人事",
  "i",
);

const MADE_BY_TOOLS =
  /^(?:node_modules|bower_components|vendor|site-packages|__pycache__|dist|build|out|target|coverage|venv|env|cache|caches)$/i;

/** Collects the paths that a user may wish to leave out. */
class SensitivePaths {
  readonly #files: SensitivePath[] = [];
  /** Folders by their paths. */
  readonly #folders = new Map<string, { reason: SensitiveReason; files: number; bytes: number }>();

  addSkipped({ path, reason: leftOut }: Extract<Found, { readonly kind: "skipped" }>): void {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const reason = SECRET_NAME.test(name)
      ? "secret_name"
      : PRIVATE_FOLDER.test(name)
      ? "private_folder"
      : undefined;
    if (reason !== undefined) this.#files.push({ path, reason, leftOut });
  }

  /** Adds a file that would be read. `head`: its beginning. */
  add({ path, size }: Extract<Found, { readonly kind: "file" }>, head: string): void {
    const parts = path.split("/");
    const name = parts.pop()!;
    for (const [at, part] of parts.entries()) {
      const reason = PRIVATE_FOLDER.test(part)
        ? "private_folder"
        : MADE_BY_TOOLS.test(part)
        ? "made_by_tools"
        : undefined;
      if (reason === undefined) continue;
      const folder = `${parts.slice(0, at + 1).join("/")}/`;
      const known = this.#folders.get(folder) ?? { reason, files: 0, bytes: 0 };
      this.#folders.set(folder, { reason, files: known.files + 1, bytes: known.bytes + size });
      // The folder stands for all that is in it.
      return;
    }
    // A `.key` may be a presentation.
    if (SECRET_NAME.test(name) && formatByName(name) === undefined) {
      this.#files.push({ path, reason: "secret_name" });
    } else if (SECRET_CONTENT.test(head)) this.#files.push({ path, reason: "secret_content" });
  }

  /** Those that would be read come first. */
  listed(): SensitivePath[] {
    const folders = [...this.#folders].map(([path, facts]): SensitivePath => ({ path, ...facts }));
    return [...this.#files, ...folders].sort((a, b) =>
      Number(a.leftOut !== undefined) - Number(b.leftOut !== undefined) || (a.path < b.path ? -1 : 1)
    );
  }
}

/** A line of an ignore file that matches one path. */
function ignoreLine(path: string): string {
  return `/${path.replace(/[\\*?[\]]/g, "\\$&").replace(/ (?=\s*$)/g, "\\ ")}`;
}
