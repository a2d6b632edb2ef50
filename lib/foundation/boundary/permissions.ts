/**
 * The permissions of the worker that runs a command: what each command needs, and the places of this run.
 */
import { join } from "node:path";
import { NO_PERMISSIONS } from "#foundation/runtime.ts";

/** The places of a run. All paths are absolute, those of folders real. */
export interface RunPlaces {
  /** The folders that the command works on. */
  readonly roots: readonly string[];
  /** Data folders that are not `.muxue_rag` in their folder, by the folder. */
  readonly indexDirs?: Readonly<Record<string, string>>;
  /** Folder of the list of indexed folders. */
  readonly registry: string;
  /** Folder of the log files; null without logs. */
  readonly logDir: string | null;
  /** `host:port` of the embedding servers; none with the built-in table. */
  readonly servers: readonly string[];
  /** `host:port` of the collector that traces are sent to; absent without one. */
  readonly collector?: string | undefined;
  /** `host:port` of the databases that indexes are kept in; absent with data folders. */
  readonly stores?: readonly string[];
  /** Files of certificates that the databases are known by. */
  readonly storeCertificates?: readonly string[];
  /** `host:port` of the servers that rerank. */
  readonly rerankers: readonly string[];
  /** Files of the models that rerank in the program. */
  readonly rerankModels?: readonly string[];
  /** The needs of language models: see {@linkcode LanguageModelPlaces}. */
  readonly languageModels?: LanguageModelPlaces;
  /** Folder of installed models; null if it is unknown. */
  readonly models: string | null;
  /** Files, or folders of installed models, that the provider `local` uses; none with another provider. */
  readonly localModels?: readonly string[];
  /** Folder of the data for text recognition; absent if that is switched off, or if the folder is unknown. */
  readonly recognition?: string;
  /** `host:port` of the places that models are downloaded from; `*.` stands for subdomains. */
  readonly downloads: readonly string[];
  /** `host:port` of the page that names the newest version; absent where none is configured. */
  readonly releasePage?: string | undefined;
  /** `host:port` that a server listens on; `undefined` where it does not. */
  readonly listen?: string | undefined;
  /** Paths that the command line names beside the folders, such as a backup or the data of an evaluation. */
  readonly named: readonly string[];
  /** Path of the folder that temporary files are written to. */
  readonly tempDir: string;
  /** The program's own files, which workers and the word table are loaded from. */
  readonly program: readonly string[];
  /** The built web pages; absent where they are not offered. */
  readonly pages?: string;
  /** The folders of the tokens of people, and of the times at which these were used. */
  readonly tokens?: { readonly list: string; readonly used: string };
  /** Folders that files may be added to through the web pages. */
  readonly uploads?: readonly string[];
}

/** The places that language models need. */
export interface LanguageModelPlaces {
  /** `host:port` of the servers: those on this machine, and those that the user has consented to. */
  readonly hosts: readonly string[];
  /** Folder of the tokens that were used on each day; written. Absent without a task. */
  readonly usage?: string;
  /** Folders of the program's prompts and of the user's. */
  readonly prompts: readonly string[];
}

/** Needs of a command beside reading its folders, the list of indexed folders and the program's own files. */
export interface PermissionNeeds {
  /** The data folder of each folder is written: `.muxue_rag` in it, or the one in `indexDirs`. */
  readonly index?: true;
  /** The indexes are opened, wherever they are kept. */
  readonly store?: true;
  /** The list of indexed folders is written. */
  readonly registry?: true;
  /** Log files are written, or the traces among them only read. */
  readonly logs?: true | "read";
  /** Texts are embedded, by the embedding server or by local models, and traces are sent to a collector. */
  readonly net?: true;
  /** Local models are looked at, and texts are not embedded. */
  readonly localModels?: true;
  /** Hits are reranked: by a server or by a model in the program. */
  readonly rerank?: true;
  /** Texts are sent to language models, or only the prompts for them are read. */
  readonly llm?: true | "prompts";
  /** The folder of installed models is read, or written as well. */
  readonly models?: "read" | "write";
  /** Documents are read, with text recognition if that is switched on. */
  readonly documents?: true;
  /** Models are downloaded. */
  readonly downloads?: true;
  /** The page is asked for the newest version. */
  readonly releasePage?: true;
  /** The built web pages are read, where they are offered. */
  readonly pages?: true;
  /** Files are added to the folders that allow it. */
  readonly uploads?: true;
  /** The command may be a server that listens. */
  readonly listen?: true;
  /** The tokens of people are read, or written as well, or a server that listens admits them and notes their use. */
  readonly tokens?: "read" | "write" | "use";
  /** The paths that the command line names are read, or written as well. */
  readonly named?: "read" | "write";
  /** Temporary files are written. */
  readonly temporary?: true;
}

/**
 * The permissions of the worker that runs a command with these needs. Everything that may be written may be read. No worker
 * may read the environment or ask for other facts about the system, start programs, fetch code or call native libraries.
 *
 * The runtime needs no permission to load code from a `data:` or `blob:` URL, or from a file in an executable. The program
 * therefore has no computed import (scripts/lint/import_direction.ts).
 */
export function permissionsFor(
  needs: PermissionNeeds,
  places: RunPlaces,
): Deno.PermissionOptionsObject {
  const { index, store, registry, logs, net, rerank, llm, localModels, models, documents } = needs;
  const { downloads, listen, named, pages, temporary, uploads } = needs;
  const { roots, indexDirs = {}, logDir, tempDir, program } = places;
  const languageModels = llm ? places.languageModels : undefined;
  const paths = named === undefined ? [] : places.named;
  const tokens = needs.tokens === "use" && places.listen === undefined ? undefined : needs.tokens;
  const { list, used } = places.tokens ?? {};
  const kept = (wanted: boolean, path: string | undefined) => wanted && path !== undefined ? [path] : [];
  const modelFolder = models === undefined || places.models === null ? [] : [places.models];
  const hosts = [
    ...(net ? places.servers : []),
    ...(net && places.collector !== undefined ? [places.collector] : []),
    ...(store ? places.stores ?? [] : []),
    ...(rerank ? places.rerankers : []),
    ...(llm === true ? languageModels?.hosts ?? [] : []),
    ...(downloads ? places.downloads : []),
    ...(needs.releasePage && places.releasePage !== undefined ? [places.releasePage] : []),
    ...(listen && places.listen !== undefined ? [places.listen] : []),
  ];
  const write = [
    ...(index ? roots.map((root) => indexDirs[root] ?? join(root, ".muxue_rag")) : []),
    ...(uploads ? places.uploads ?? [] : []),
    ...(registry ? [places.registry] : []),
    ...(logs === true && logDir !== null ? [logDir] : []),
    ...(languageModels?.usage === undefined || llm !== true ? [] : [languageModels.usage]),
    ...(models === "write" ? modelFolder : []),
    ...(named === "write" ? paths : []),
    ...kept(tokens === "write", list),
    ...kept(tokens === "use", used),
    ...(temporary ? [tempDir] : []),
  ];
  const read = [
    ...roots,
    ...Object.values(indexDirs),
    places.registry,
    ...program,
    ...(logs === "read" && logDir !== null ? [logDir] : []),
    ...modelFolder,
    ...(net || localModels ? places.localModels ?? [] : []),
    ...(store ? places.storeCertificates ?? [] : []),
    ...(rerank ? places.rerankModels ?? [] : []),
    ...languageModels?.prompts ?? [],
    ...(documents && places.recognition !== undefined ? [places.recognition] : []),
    ...(pages && places.pages !== undefined ? [places.pages] : []),
    ...paths,
    ...kept(tokens !== undefined, list),
    ...kept(tokens !== undefined, used),
    ...(temporary ? [tempDir] : []),
    ...write,
  ];
  return {
    ...NO_PERMISSIONS,
    read: [...new Set(read)],
    write: write.length > 0 ? [...new Set(write)] : false,
    net: hosts.length > 0 ? [...new Set(hosts)] : false,
  };
}
