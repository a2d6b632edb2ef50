import { type Pipe, search } from "./_mcp_pipe.ts";

/** Asks the same question until the answer is as wanted. Returns that answer. */
export async function ask(pipe: Pipe, keyword: string, wanted: (text: string) => boolean): Promise<string> {
  for (let id = 1;; id++) {
    const text = await askOnce(pipe, keyword, id);
    if (wanted(text)) return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The text of an answer. */
export async function askOnce(pipe: Pipe, keyword: string, id = 1): Promise<string> {
  await pipe.send(search(id, keyword));
  const [{ result }] = (await pipe.receiveUntil(id)).slice(-1);
  return result.content[0].text;
}

export function finds(passage: string): (text: string) => boolean {
  return (text) => text.includes(passage);
}

export function findsNot(passage: string): (text: string) => boolean {
  return (text) => !text.includes(passage);
}
