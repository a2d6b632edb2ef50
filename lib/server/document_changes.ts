/**
 * Notices that documents of the indexes have changed, and tells subscribers.
 */
import { unrefTimer } from "#foundation/runtime.ts";
import { setImmediate } from "node:timers";
import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";
import type { Library, StoredFile } from "#library/search/mod.ts";
import { Publisher } from "./connected_client.ts";

/** Time between two looks at the indexes, in milliseconds. A look reads the attributes of each index's file. */
const LOOK_MS = 2000;

/** Documents that are published without a pause. */
const BURST = 200;

/** Numbers of the documents that an index gained, lost, and has in a new version. */
export interface DocumentCounts {
  readonly root: string;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** Options of {@linkcode DocumentChanges}. */
export interface DocumentChangesOptions {
  /** Called for each index that has changed. */
  readonly onChange?: (counts: DocumentCounts) => void;
  readonly onError?: (error: unknown) => void;
  readonly intervalMs?: number;
}

/**
 * Notices that the documents of the indexes have changed, by this process or another, and publishes it: `resource_updated` for
 * each of the documents, and `resources_list_changed` if documents came or went.
 */
export class DocumentChanges implements Disposable {
  /** Publishes the changes. */
  readonly bus: ServerEventBus = new Publisher<ServerEvent>();
  readonly #library: Library;
  readonly #options: DocumentChangesOptions;
  /** The files of each index at the last look. */
  #known: ReadonlyMap<string, readonly StoredFile[]> | undefined;
  #version: string | undefined;
  #turn: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(library: Library, options: DocumentChangesOptions = {}) {
    this.#library = library;
    this.#options = options;
  }

  /** Looks now and then until it is disposed of. The first look finds no changes. */
  start(): void {
    void this.look().catch((error) => this.#options.onError?.(error)).finally(() => {
      if (this.#isOver) return;
      this.#timer = setTimeout(() => this.start(), this.#options.intervalMs ?? LOOK_MS);
      // The timer must not keep a process alive whose client has gone.
      unrefTimer(this.#timer);
    });
  }

  /** Compares the indexes with those of the last look. */
  look(): Promise<void> {
    const turn = this.#turn.then(() => this.#look());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const catalog = await this.#library.catalog();
    const version = await catalog.version();
    // A list of the documents may take a look at each of them.
    if (version === this.#version) return;
    const indexed = await catalog.folders();
    this.#version = version;
    const before = this.#known;
    const now = new Map(indexed.map(({ root, files }) => [root, files]));
    this.#known = now;
    if (before === undefined || this.#isOver) return;
    const { bus } = this;
    const { onChange } = this.#options;
    let isOtherList = false;
    for (const { name, root } of this.#library.collections) {
      const [old, files] = [before.get(root), now.get(root)];
      if (old === files) continue;
      // A start does without the code of resources.
      const { resourceUri } = await import("./resources.ts");
      const changes = changesOf(old ?? [], files ?? []);
      // Nobody can have read the documents of a folder that had no index.
      const isFirst = old === undefined || old.length === 0;
      const paths = [...changes.changed, ...changes.removed, ...(isFirst ? [] : changes.added)];
      for (const [i, path] of paths.entries()) {
        // Each connection takes some microseconds, and requests wait meanwhile.
        if (i % BURST === BURST - 1) await new Promise<void>((resolve) => setImmediate(resolve));
        bus.publish({ kind: "resource_updated", uri: resourceUri(name, path) });
      }
      const [added, removed, changed] = [changes.added, changes.removed, changes.changed]
        .map(({ length }) => length) as [number, number, number];
      if (added + removed > 0) isOtherList = true;
      if (added + removed + changed > 0) onChange?.({ root, added, removed, changed });
    }
    if (isOtherList) bus.publish({ kind: "resources_list_changed" });
  }
}

interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Paths that differ between two states of an index. Most keep their place or move by one, and need no map. */
function changesOf(before: readonly StoredFile[], now: readonly StoredFile[]): Changes {
  const [old, others]: [Map<string, StoredFile>, StoredFile[]] = [new Map(), []];
  const changed: string[] = [];
  const compare = (was: StoredFile, file: StoredFile) => {
    if (isIndexed(was) && isIndexed(file)) {
      if (!isSame(was, file)) changed.push(file.path);
    } else if (isIndexed(file)) others.push(file);
    else if (isIndexed(was)) old.set(was.path, was);
  };
  for (let [i, j] = [0, 0]; i < before.length || j < now.length;) {
    const [was, file] = [before[i], now[j]];
    if (was?.path === file?.path) {
      compare(was!, file!);
      i++;
      j++;
    } else if (was !== undefined && now[j + 1]?.path !== was.path) {
      if (isIndexed(was)) old.set(was.path, was);
      i++;
    } else {
      if (isIndexed(file!)) others.push(file!);
      j++;
    }
  }
  const added: string[] = [];
  for (const file of others) {
    const was = old.get(file.path);
    if (was === undefined) added.push(file.path);
    else if (!isSame(was, file)) changed.push(file.path);
    old.delete(file.path);
  }
  return { added, changed, removed: [...old.keys()] };
}

/** Whether clients read the same text. Recognition in pictures changes the text of an unchanged file. */
function isSame(a: StoredFile, b: StoredFile): boolean {
  return a.sha256 === b.sha256 && a.format === b.format &&
    (a.recognised?.length ?? 0) === (b.recognised?.length ?? 0) &&
    (a.recognisedImages?.length ?? 0) === (b.recognisedImages?.length ?? 0);
}

function isIndexed({ status }: StoredFile): boolean {
  return status === "indexed";
}
