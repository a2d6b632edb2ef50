/** Loads chats that Telegram exports as JSON: each chat is a section, each day one below it. */
import { bytesToText } from "../decode.ts";
import { type JsonFields, listOf, recordOf, textIn } from "../json_fields.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { DocumentError, guarded, type Loader } from "../types.ts";

/** Chats exported by Telegram (`result.json`): one, or all of an account. */
export const loader: Loader = guarded(async (bytes, file) => {
  const { text } = await bytesToText(bytes, file);
  const all = recordOf(JSON.parse(text.replace(/^\ufeff/, "")));
  const chats = Array.isArray(all?.messages) ? [all!] : listOf(recordOf(all?.chats)?.list);
  if (chats.length === 0) throw new DocumentError("unsupported", "the file has no chats");
  const builder = new MarkdownBuilder();
  for (const chat of chats) writeChat(chat, builder);
  return builder.finish();
});

function writeChat(chat: JsonFields, builder: MarkdownBuilder): void {
  builder.heading(1, textIn(chat.name));
  let day = "";
  for (const message of listOf(chat.messages)) {
    const said = messageText(message);
    if (said === "") continue;
    const [date = "", time = ""] = textIn(message.date).split("T");
    if (date !== day) builder.heading(2, day = date);
    const name = textIn(message.from) || textIn(message.actor);
    builder.paragraph(`${name}${time === "" ? "" : ` (${time})`}: ${said}`);
  }
}

/** Returns what a message says, and the name of a file that it sends. */
function messageText(message: JsonFields): string {
  const { text } = message;
  const parts = Array.isArray(text)
    ? text.map((part) => textIn(part) || textIn(recordOf(part)?.text))
    : [textIn(text)];
  const poll = recordOf(message.poll);
  const answers = listOf(poll?.answers).map((answer) => textIn(answer.text));
  return [parts.join("").trim(), textIn(message.file_name), textIn(poll?.question), ...answers].filter((
    line,
  ) => line !== "").join("\n");
}
