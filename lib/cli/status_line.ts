/** A line on the terminal's stderr that is drawn again and again, and wiped on disposal. */
export interface StatusLine extends Disposable {
  /**
   * Draws it now, unless that was done a moment ago. It is drawn ten times a second anyway, when the program has
   * time.
   */
  readonly redraw: () => void;
}

/** The part of cli-progress used here; the package brings no types. */
interface SingleBar {
  start(total: number, value: number): void;
  update(value: number): void;
  stop(): void;
}
interface CliProgress {
  SingleBar: new (options: Record<string, unknown>) => SingleBar;
}

/** Starts a line; `text` gives what it says in at most so many columns. */
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
