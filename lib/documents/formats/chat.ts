/**
 * Loads chats that are exported as JSON: each chat is a section, each day one below it.
 * Below it: Telegram, Slack, Discord, Facebook and Instagram, and ChatGPT, whose files escape what is not ASCII.
 */
import { bytesToText } from "../decode.ts";
import { type JsonFields, listOf, recordOf, textIn } from "../json_fields.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { DocumentError, type FileName, guarded, type Loader } from "../types.ts";

/** A message; its time is written as `2024-05-01T10:00:00`. */
interface Message {
  readonly name: string;
  readonly time: string;
  readonly text: string;
}

interface Chat {
  readonly title: string;
  readonly messages: readonly Message[];
}

/** Chats: one, or all of an account. */
export const loader: Loader = guarded(async (bytes, file) => {
  const { text } = await bytesToText(bytes, file);
  const data: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  const chats = Array.isArray(data) ? chatsInList(listOf(data), file) : chatsIn(recordOf(data) ?? {});
  const builder = new MarkdownBuilder();
  for (const chat of chats) writeChat(chat, builder);
  // Other programs use the same names of fields.
  if (builder.length === 0) throw new DocumentError("unsupported", "the file has no chats");
  return builder.finish();
});

function chatsIn(data: JsonFields): Chat[] {
  if (Array.isArray(data.participants)) return [facebookChat(data)];
  if (recordOf(data.guild) !== undefined) return [discordChat(data)];
  return (Array.isArray(data.messages) ? [data] : listOf(recordOf(data.chats)?.list)).map(telegramChat);
}

function chatsInList(list: readonly JsonFields[], file: FileName): Chat[] {
  const conversations = list.filter(({ mapping }) => recordOf(mapping) !== undefined);
  if (conversations.length > 0) return conversations.map(chatGptChat);
  return list.some(({ ts }) => textIn(ts) !== "") ? [slackChat(list, file)] : [];
}

function writeChat({ title, messages }: Chat, builder: MarkdownBuilder): void {
  builder.heading(1, title);
  let last = "";
  for (const { name, time: written, text } of messages) {
    if (text.trim() === "") continue;
    const [day = "", time = ""] = written.split("T");
    if (day !== last) builder.heading(2, last = day);
    builder.paragraph(`${name}${time === "" ? "" : ` (${time})`}: ${text.trim()}`);
  }
}

/** Returns the lines of a message that say something. */
function linesOf(...lines: readonly unknown[]): string {
  return lines.map(textIn).filter((line) => line !== "").join("\n");
}

/** Returns a time in milliseconds as text, in UTC. Empty if it is none. */
function timeOf(milliseconds: unknown): string {
  const date = new Date(Number(milliseconds));
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 19);
}

// Telegram

function telegramChat(chat: JsonFields): Chat {
  return {
    title: textIn(chat.name),
    messages: listOf(chat.messages).map((message) => ({
      name: textIn(message.from) || textIn(message.actor),
      time: textIn(message.date),
      text: telegramText(message),
    })),
  };
}

/** Returns what a message says, and the name of a file that it sends. */
function telegramText(message: JsonFields): string {
  const { text } = message;
  const parts = Array.isArray(text)
    ? text.map((part) => textIn(part) || textIn(recordOf(part)?.text))
    : [textIn(text)];
  const poll = recordOf(message.poll);
  const answers = listOf(poll?.answers).map((answer) => answer.text);
  return linesOf(parts.join("").trim(), message.file_name, poll?.question, ...answers);
}

// Slack

/** A day of a channel, in a folder with its name. Users have identifiers; most messages tell the name. */
function slackChat(list: readonly JsonFields[], { path }: FileName): Chat {
  const named = list.filter((message) => slackName(message) !== "");
  const names = new Map(named.map((message) => [textIn(message.user), slackName(message)]));
  const nameOf = (user: string) => names.get(user) ?? user;
  return {
    title: path.split(/[\\/]/).at(-2) ?? "",
    messages: list.map((message) => ({
      name: slackName(message) || nameOf(textIn(message.user)) || textIn(message.username),
      time: timeOf(Number(message.ts) * 1000),
      text: linesOf(
        slackText(textIn(message.text), nameOf),
        ...listOf(message.attachments).flatMap(({ title, text, fallback }) =>
          title === undefined && text === undefined ? [fallback] : [title, text]
        ).map((text) => slackText(textIn(text), nameOf)),
        ...listOf(message.files).map((file) => textIn(file.title) || textIn(file.name)),
      ),
    })),
  };
}

function slackName(message: JsonFields): string {
  const profile = recordOf(message.user_profile);
  return textIn(profile?.display_name) || textIn(profile?.real_name) || textIn(profile?.name);
}

const SIGNS: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/** Returns a text with the names of people and channels, and with links as their text and address. */
function slackText(text: string, nameOf: (user: string) => string): string {
  return text.replace(
    /<([@#!]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g,
    (_, sign: string, target: string, label = "") => {
      if (sign === "@") return `@${label || nameOf(target)}`;
      if (sign === "#") return `#${label || target}`;
      // The label of a group begins with its sign, and that of a date is its text.
      if (sign === "!") return target.includes("^") && label !== "" ? label : `@${label || target}`;
      return label === "" || label === target ? target : `${label} (${target})`;
    },
  ).replace(/&(?:lt|gt|amp);/g, (sign) => SIGNS[sign]!);
}

// Discord

/** A channel, as DiscordChatExporter writes it. */
function discordChat({ guild, channel, messages }: JsonFields): Chat {
  const title = [guild, channel].map((one) => textIn(recordOf(one)?.name)).filter((name) => name !== "");
  return {
    title: title.join(" / "),
    messages: listOf(messages).map((message) => {
      const author = recordOf(message.author);
      return {
        name: textIn(author?.nickname) || textIn(author?.name),
        time: textIn(message.timestamp).slice(0, 19),
        text: linesOf(
          message.content,
          ...listOf(message.embeds).flatMap(({ title, description }) => [title, description]),
          ...listOf(message.attachments).map(({ fileName }) => fileName),
        ),
      };
    }),
  };
}

// Facebook and Instagram

/** A chat, whose newest message stands first. */
function facebookChat({ title, participants, messages }: JsonFields): Chat {
  const names = listOf(participants).map(({ name }) => mended(textIn(name)));
  return {
    title: mended(textIn(title)) || names.join(", "),
    messages: listOf(messages).map((message) => ({
      name: mended(textIn(message.sender_name)),
      time: timeOf(message.timestamp_ms),
      text: mended(linesOf(message.content, recordOf(message.share)?.link)),
    })).toReversed(),
  };
}

/** Returns a text whose UTF-8 was written as a character for each byte. Another text stays. */
function mended(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(text, (char) => char.charCodeAt(0)),
    );
  } catch {
    return text;
  }
}

// ChatGPT

/** A conversation: a tree of messages, of which the branch to the newest one is read. */
function chatGptChat(chat: JsonFields): Chat {
  const nodes = recordOf(chat.mapping)!;
  const messages: Message[] = [];
  const seen = new Set<string>();
  let id = textIn(chat.current_node) || Object.keys(nodes).at(-1) || "";
  while (id !== "" && !seen.has(id) && Object.hasOwn(nodes, id)) {
    seen.add(id);
    const node = recordOf(nodes[id]);
    const message = recordOf(node?.message);
    // Code that it has run, and what that has printed, is one text.
    const { parts, text } = recordOf(message?.content) ?? {};
    messages.push({
      name: textIn(recordOf(message?.author)?.role),
      time: message?.create_time === null ? "" : timeOf(Number(message?.create_time) * 1000),
      text: linesOf(...Array.isArray(parts) ? parts : [text]),
    });
    id = textIn(node?.parent);
  }
  return { title: textIn(chat.title), messages: messages.reverse() };
}
