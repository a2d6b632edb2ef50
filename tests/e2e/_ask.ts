import type { Pipe } from "./_mcp_pipe.ts";

/** Asks the same question until the answer is as wanted. Returns that answer. */
export async function ask(pipe: Pipe, keyword: string, wanted: (text: string) => boolean): Promise<string> {
  for (;;) {
    const text = await askOnce(pipe, keyword);
    if (wanted(text)) return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The text of an answer. */
export async function askOnce(pipe: Pipe, keyword: string): Promise<string> {
  const { result } = await pipe.search(keyword);
  return result.content[0].text;
}

export function finds(passage: string): (text: string) => boolean {
  return (text) => text.includes(passage);
}

export function findsNot(passage: string): (text: string) => boolean {
  return (text) => !text.includes(passage);
}
