import { deepEqual, equal } from "node:assert/strict";
import { LanguageServer } from "../models/language/_servers/mod.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

const FILES = {
  "bridge.md": "# Harbour Bridge\n\nThe Harbour Bridge was opened on 19 March 1932.\n\nIt has eight lanes.\n",
};
const TEXT = "The Harbour Bridge was opened on 19 March 1932 [1]. The Harbour Bridge has nine lanes [1].";

Deno.test("a language model answers on the page, each sentence is checked, and citations lead to the hit", {
  ignore: NO_BROWSER,
}, async () => {
  await using server = await LanguageServer.start("openai-compatible");
  server.reply = () => TEXT;
  await using opened = await openPages(FILES, { env: server.environment() });
  const { page } = opened;
  await page.getByRole("searchbox").fill("When was the Harbour Bridge opened?");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Ask the language model" }).click();
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByRole("list", { name: "Sources" }).waitFor();
  deepEqual(
    await answer.locator(".sentence").evaluateAll((all) =>
      all.map((one) => `${one.className}: ${one.textContent}`)
    ),
    [
      "sentence supported: The Harbour Bridge was opened on 19 March 1932.",
      "sentence conflicting: The Harbour Bridge has nine lanes.",
    ],
  );
  equal((await answer.locator(".doubt").innerText()).trim(), "(the passage says: eight)");
  await answer.getByRole("button", { name: "Source 1: bridge.md" }).first().click();
  await page.getByRole("region", { name: "Original: bridge.md" }).locator(".line.current mark").first()
    .waitFor();
});

Deno.test("Esc stops an answer, and the request to the model ends", { ignore: NO_BROWSER }, async () => {
  await using server = await LanguageServer.start("openai-compatible");
  server.reply = () => TEXT;
  server.rule = (asked) => "prompt" in asked ? "hang" : undefined;
  await using opened = await openPages(FILES, { env: server.environment() });
  const { page } = opened;
  await page.getByRole("searchbox").fill("When was the Harbour Bridge opened?");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Ask the language model" }).click();
  await page.getByText("answers from 1 passage").waitFor();
  // The server has read the request.
  while (server.requests.length === 0) await page.waitForTimeout(20);
  await page.keyboard.press("Escape");
  await page.getByText("Stopped").waitFor();
  equal(await page.getByRole("article").count(), 1);
});

Deno.test("without a language model no button asks", { ignore: NO_BROWSER }, async () => {
  await using opened = await openPages(FILES);
  const { page } = opened;
  await page.getByRole("searchbox").fill("bridge");
  await page.keyboard.press("Enter");
  await page.getByRole("article").first().waitFor();
  equal(await page.getByRole("button", { name: "Ask the language model" }).count(), 0);
});
