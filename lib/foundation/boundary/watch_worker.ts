/// <reference lib="deno.worker" />
/** The thread that watches folders, see `watch.ts`. It may read these folders and nothing else. */
import { watchFolder, type WatchReport, type WatchRequest } from "./watch.ts";

/** Time in which changes are collected before they are reported, in milliseconds. */
const COLLECT_MS = 10;

const watches = new Map<number, Disposable>();

self.onmessage = ({ data }: MessageEvent<WatchRequest>) => {
  if (data.root === undefined) end(data.id);
  else begin(data.id, data.root, data.folders);
};

function begin(id: number, root: string, folders: readonly string[]): void {
  let changed: Set<string> | undefined;
  const report = () => {
    if (changed !== undefined && watches.has(id)) send({ id, changed: [...changed] });
    changed = undefined;
  };
  const onChange = (path: string) => {
    if (changed === undefined) {
      changed = new Set();
      setTimeout(report, COLLECT_MS);
    }
    changed.add(path);
  };
  const onEnd = (error?: unknown) => {
    end(id);
    send({ id, ended: error === undefined ? undefined : textOf(error) });
  };
  try {
    watches.set(id, watchFolder(root, { folders, onChange, onEnd }));
    send({ id, begun: true });
  } catch (error) {
    send({ id, refused: textOf(error) });
  }
}

function end(id: number): void {
  watches.get(id)?.[Symbol.dispose]();
  watches.delete(id);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function send(report: WatchReport): void {
  self.postMessage(report);
}
