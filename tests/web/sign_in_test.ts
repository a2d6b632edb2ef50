import { deepEqual, ok } from "node:assert/strict";
import { makeIndexed, NOTES } from "../e2e/_program.ts";
import { startUi } from "../pages/_socket.ts";
import { launchBrowser, NO_BROWSER } from "./_browser.ts";

Deno.test("a token of the server opens the pages, also after a reload and in other tabs, and is not kept", {
  ignore: NO_BROWSER,
}, async () => {
  const TOKEN = "full-0123456789abcdef";
  await using sandbox = await makeIndexed(NOTES, { env: { TOKEN } });
  const serve = ["serve", "--http", "--ui", "--port", "0", "--dir", sandbox.folder, "--token-env", "TOKEN"];
  await using ui = await startUi(sandbox, serve);
  await using browser = await launchBrowser();
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  const sent: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) sent.push(request.headers()["authorization"]);
  });
  await page.goto(ui.origin);
  const token = page.getByLabel("Token");
  await token.fill("another-token-of-nobody");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("The server has no such token").waitFor();
  sent.length = 0;
  await token.fill(TOKEN);
  await page.getByRole("button", { name: "Sign in" }).click();
  const box = page.getByRole("searchbox", { name: "Question" });
  await box.waitFor();
  await page.reload();
  await box.waitFor();
  const tab = await context.newPage();
  await tab.goto(ui.origin);
  await tab.getByRole("searchbox", { name: "Question" }).waitFor();
  // It was sent once, to be exchanged.
  deepEqual(sent.filter((header) => header === `Bearer ${TOKEN}`).length, 1);
  const kept = "JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])";
  for (const each of [page, tab]) ok(!`${await each.evaluate(kept)}`.includes(TOKEN));
});
