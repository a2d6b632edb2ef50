/** A line on the terminal's stderr that is redrawn. Disposing of it wipes the line. */
export interface StatusLine extends Disposable {
  /** Redraws the line at once, unless that was just done. A timer redraws it ten times a second as well. */
  readonly redraw: () => void;
}

/** The part of cli-progress that is used here; the package has no types. */
interface SingleBar {
  start(total: number, value: number): void;
  update(value: number): void;
  stop(): void;
}
interface CliProgress {
  SingleBar: new (options: Record<string, unknown>) => SingleBar;
}

/** Starts a line. `text` gives its text in at most so many columns. */
export async function startStatusLine(text: (columns: number) => string): Promise<StatusLine> {
  const { SingleBar } = (await import("cli-progress")).default as CliProgress;
  const { stderr } = await import("node:process");
  const line = new SingleBar({
    stream: stderr,
    clearOnComplete: true,
    hideCursor: true,
    format: (_options: unknown, { maxWidth }: { maxWidth: number }) => text(maxWidth - 1),
  });
  line.start(1, 0);
  return { redraw: () => line.update(0), [Symbol.dispose]: () => line.stop() };
}
