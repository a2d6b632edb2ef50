import { equal, ok } from "node:assert/strict";
import { DocumentError } from "#documents/mod.ts";
import { loader } from "#documents/formats/telegram.ts";
import { checkDocument } from "../_check_document.ts";

const load = async (json: string) => {
  const document = await loader.load(new TextEncoder().encode(json), { path: "result.json" });
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

Deno.test("other JSON is refused", async () => {
  equal(await problem("{}"), "unsupported");
  equal(await problem("{"), "damaged");
  equal(await problem(`{"messages":${"[".repeat(200_000)}`), "damaged");
});
