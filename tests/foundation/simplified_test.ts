import { equal } from "node:assert/strict";
import { toSimplified } from "#foundation/simplified.ts";

Deno.test("toSimplified() replaces traditional and variant characters and nothing else", () => {
  equal(toSimplified("臺灣的圖書館"), "台湾的图书馆");
  equal(toSimplified("使用 dpkg 指令進行救援 🙂 naïve"), "使用 dpkg 指令进行救援 🙂 naïve");
  equal(toSimplified("简体中文 and English"), "简体中文 and English");
  equal(toSimplified(""), "");
});
