/** A line that is typed without being shown: its text so far, and how it ended. */
export interface HiddenLine {
  readonly text: string;
  readonly end?: "entered" | "given up";
}

/**
 * A hidden line after more characters were typed. The keys work as on a visible line: backspace deletes a character, Ctrl-U
 * deletes all, Ctrl-C gives up, and so does Ctrl-D on an empty line. Characters after the end of the line are dropped.
 */
export function typeInto(line: HiddenLine, typed: string): HiddenLine {
  let { text } = line;
  for (const character of typed) {
    switch (character) {
      case "\r":
      case "\n":
        return { text, end: "entered" };
      case "\u0003":
        return { text: "", end: "given up" };
      case "\u0004":
        if (text === "") return { text, end: "given up" };
        break;
      case "\u0008":
      case "\u007f":
        text = Array.from(text).slice(0, -1).join("");
        break;
      case "\u0015":
        text = "";
        break;
      default:
        text += character;
    }
  }
  return { text };
}

/** One hidden line from the terminal on stdin; `undefined` when it is given up or `signal` aborts. */
export async function readHidden(signal: AbortSignal): Promise<string | undefined> {
  const raw = (on: boolean) => {
    // Windows has no mode that hides the input and still turns Ctrl-C into a signal.
    if (Deno.build.os === "windows") Deno.stdin.setRaw(on);
    else Deno.stdin.setRaw(on, { cbreak: on });
  };
  const { promise: aborted, resolve: abort } = Promise.withResolvers<{ done: true; value?: undefined }>();
  const onAbort = () => {
    // The terminal is restored at once, since a second Ctrl-C ends the process.
    raw(false);
    abort({ done: true });
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const reader = Deno.stdin.readable.getReader();
  const decoder = new TextDecoder();
  raw(true);
  try {
    let line: HiddenLine = { text: "" };
    while (line.end === undefined) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return undefined;
      line = typeInto(line, decoder.decode(value, { stream: true }));
    }
    return line.end === "entered" ? line.text : undefined;
  } finally {
    raw(false);
    signal.removeEventListener("abort", onAbort);
    reader.releaseLock();
  }
}
