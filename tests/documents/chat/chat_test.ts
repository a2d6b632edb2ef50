import { equal, ok } from "node:assert/strict";
import { DocumentError, readDocument } from "#documents/mod.ts";
import { loader } from "#documents/formats/chat.ts";
import { checkDocument } from "../_check_document.ts";

const load = async (json: string, path = "result.json") => {
  const document = await loader.load(new TextEncoder().encode(json), { path });
  checkDocument(document);
  return document;
};
const problem = async (json: string) => {
  try {
    return (await load(json)).text.length;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
};

const CHAT = {
  name: "Tea club",
  type: "private_group",
  messages: [
    { type: "service", date: "2024-05-01T09:00:00", actor: "Li Na", action: "create_group", text: "" },
    {
      date: "2024-05-01T10:00:00",
      from: "Li Na",
      text: ["See ", { type: "link", text: "tea.example" }, "!"],
    },
    { date: "2024-05-02T08:30:00", from: "王伟", text: "", file_name: "茶.pdf" },
    {
      date: "2024-05-02T08:31:00",
      from: "王伟",
      text: "",
      poll: { question: "When?", answers: [{ text: "now" }] },
    },
  ],
};

Deno.test("a chat has a section for each day, with the names and times of its messages", async () => {
  const { text, title } = await load(JSON.stringify(CHAT));
  equal(
    text,
    "# Tea club\n\n## 2024-05-01\n\nLi Na (10:00:00): See tea.example!\n\n## 2024-05-02\n\n王伟 (08:30:00): 茶.pdf\n\n王伟 (08:31:00): When?\nnow\n",
  );
  equal(title, "Tea club");
});

Deno.test("the export of an account has all of its chats", async () => {
  const { text } = await load(
    JSON.stringify({ about: "x", chats: { list: [CHAT, { ...CHAT, name: "B", messages: [] }] } }),
  );
  ok(text.startsWith("# Tea club\n") && text.endsWith("# B\n"));
});

Deno.test("a day of Slack has the names of users, texts of links and names of files", async () => {
  const message = (text: string, more = {}) => ({
    type: "message",
    ts: "1714557600.000100",
    user: "U1",
    text,
    ...more,
  });
  const list = [
    message("Hi <@U2>, see <https://tea.example|the shop> &amp; <https://a.example>", {
      user_profile: { real_name: "Li Na" },
    }),
    message("in <#C1|tea> <!here> <!subteam^S1|@brewers> <!date^1714557600^{date}|1 May>", {
      files: [{ name: "a.pdf", title: "价目" }],
    }),
    message("", {
      ts: "1714644000.5",
      user: "U2",
      user_profile: { display_name: "王伟" },
      attachments: [{ title: "A" }, { fallback: "B" }],
    }),
    message("beep", { ts: "x", user: undefined, username: "bot" }),
    1,
  ];
  const { text } = await load(JSON.stringify(list), "export/general/2024-05-01.json");
  equal(
    text,
    "# general\n\n## 2024-05-01\n\nLi Na (10:00:00): Hi @王伟, see the shop (https://tea.example) & https://a.example\n\n" +
      "Li Na (10:00:00): in #tea @here @brewers 1 May\n价目\n\n## 2024-05-02\n\n王伟 (10:00:00): A\nB\n\nbot: beep\n",
  );
});

Deno.test("a channel of Discord has nicknames, embedded pages and names of files", async () => {
  const { text } = await load(JSON.stringify({
    guild: { name: "Tea" },
    channel: { name: "general" },
    messages: [{
      timestamp: "2024-05-01T10:00:00.123+08:00",
      content: "look",
      author: { name: "li", nickname: "Li Na" },
      embeds: [{ title: "Shop", description: "Open" }],
      attachments: [{ fileName: "a.png" }],
    }],
  }));
  equal(text, "# Tea / general\n\n## 2024-05-01\n\nLi Na (10:00:00): look\nShop\nOpen\na.png\n");
});

Deno.test("a chat of Facebook begins with its oldest message, and its bytes become characters", async () => {
  const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
  const message = (name: string, timestamp_ms: number, content: string) => ({
    sender_name: name,
    timestamp_ms,
    content,
  });
  const { text } = await load(JSON.stringify({
    participants: [{ name: bytes("王伟") }, { name: "Li" }],
    messages: [
      message("Li", 1714557660000, "café"),
      message(bytes("王伟"), 1714557600000, bytes("喝茶吗？")),
    ],
  }));
  equal(text, "# 王伟, Li\n\n## 2024-05-01\n\n王伟 (10:00:00): 喝茶吗？\n\nLi (10:01:00): café\n");
});

Deno.test("a conversation of ChatGPT is the branch that ends with its newest message", async () => {
  const node = (id: string, parent: string, role: string, text: string) => ({
    [id]: { parent, message: { author: { role }, create_time: 1714557600, content: { parts: [text, {}] } } },
  });
  const mapping = {
    root: { message: null },
    ...node("a", "root", "user", "绿茶几度？"),
    ...node("b", "a", "assistant", "no"),
    ...node("c", "d", "assistant", "80 °C"),
    d: { parent: "a", message: { author: { role: "assistant" }, content: { text: "print(80)" } } },
  };
  equal(
    (await load(JSON.stringify([{ title: "Tea", current_node: "c", mapping }]))).text,
    "# Tea\n\n## 2024-05-01\n\nuser (10:00:00): 绿茶几度？\n\nassistant: print(80)\n\n## 2024-05-01\n\nassistant (10:00:00): 80 °C\n",
  );
  const circle = { ...node("a", "b", "user", "x"), ...node("b", "a", "user", "y") };
  equal(
    (await load(JSON.stringify([{ mapping: circle }]))).text,
    "## 2024-05-01\n\nuser (10:00:00): x\n\nuser (10:00:00): y\n",
  );
});

Deno.test("each mark repeated 200,000 times takes linear time", async () => {
  for (const mark of ["<", "<@", "<a|", "&lt;", "|", ">"]) {
    const text = mark.repeat(200_000);
    ok((await load(JSON.stringify([{ type: "message", ts: "1", text }]))).text.length > 0, mark);
  }
});

Deno.test("other JSON is refused", async () => {
  equal(await problem("{}"), "unsupported");
  equal(await problem('[{"mapping": {"message": {"type": "text"}}}]'), "unsupported");
  equal(await problem("{"), "damaged");
  equal(await problem(`{"messages":${"[".repeat(200_000)}`), "damaged");
});

Deno.test("a list that only looks like chats stays a text", async () => {
  const json = '[{ "mapping": { "message": { "type": "text" } } }]';
  const { document, format } = await readDocument(new TextEncoder().encode(json), { path: "mapping.json" });
  equal(format, "text");
  equal(document.text, json);
});
