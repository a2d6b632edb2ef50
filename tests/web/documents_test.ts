import { deepEqual, equal, ok } from "node:assert/strict";
import { NO_BROWSER, openPages } from "./_browser.ts";

const MANY = Object.fromEntries(
  Array.from({ length: 1500 }, (_, i) => [`notes/${String(i).padStart(4, "0")}.md`, `Note ${i}.\n`]),
);

Deno.test("thousands of documents are listed, sorted and filtered, with the state in the address", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages({ ...MANY, "guide.md": "# Guide\n\nHow to archive mail.\n" });
  const { page } = opened;
  await page.getByRole("link", { name: "Documents", exact: true }).click();
  const list = page.getByRole("list", { name: "Documents" });
  await list.getByRole("button", { name: "guide.md" }).waitFor();
  await page.getByText("1,501 files").waitFor();
  ok(await list.getByRole("listitem").count() < 100, "only visible rows are in the page");
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await list.getByRole("button", { name: "notes/1499.md" }).waitFor();
  await page.getByRole("button", { name: "Path" }).click();
  await page.getByRole("button", { name: "Path ↓" }).waitFor();
  await list.getByRole("button", { name: "notes/1499.md" }).waitFor();
  await page.getByRole("textbox", { name: "Text" }).fill("0042");
  await page.keyboard.press("Enter");
  await page.getByText("1 file", { exact: true }).waitFor();
  const { search } = new URL(page.url());
  deepEqual([...new URLSearchParams(search)], [["sort", "-path"], ["text", "0042"]]);
  await page.reload();
  await list.getByRole("button", { name: "notes/0042.md" }).waitFor();
  equal(await list.getByRole("listitem").count(), 1);
});

Deno.test("a document shows its chunks with borders, and its pictures", { ignore: NO_BROWSER }, async () => {
  const text = Array.from({ length: 200 }, (_, i) => `Line ${i} about tea, water and time.`).join("\n");
  const png = Uint8Array.fromBase64(
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEXcFBQXnfKmAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC",
  );
  await using opened = await openPages({
    "tea.md": `# Tea\n\n![A red square](red.png)\n\n${text}\n`,
    "red.png": png,
  });
  const { page } = opened;
  await page.getByRole("link", { name: "Documents", exact: true }).click();
  await page.getByRole("button", { name: "tea.md" }).click();
  await page.getByRole("heading", { level: 2, name: "tea.md" }).waitFor();
  const chunks = page.locator("section.chunk");
  await chunks.nth(2).waitFor();
  ok((await chunks.nth(1).innerText()).includes("shares"));
  await page.getByRole("img", { name: "A red square" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("list", { name: "Documents" }).waitFor();
});
