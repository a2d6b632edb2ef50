import { NO_BROWSER, openPages } from "./_browser.ts";
import { makePdf } from "../documents/pdf/make_pdf.ts";

const TEXT = "BT /F1 12 Tf 72 700 Td (The boiler must be descaled every month.) Tj ET";

Deno.test(
  "a PDF that was deleted since it was found is said to be gone",
  { ignore: NO_BROWSER },
  async () => {
    await using opened = await openPages({ "manual.pdf": makePdf({ pages: [TEXT] }) }, {
      args: ["--no-watch"],
    });
    const { page, sandbox } = opened;
    await page.getByRole("searchbox").fill("boiler");
    await page.keyboard.press("Enter");
    const hit = page.getByRole("article").getByRole("button").first();
    await hit.waitFor();
    await Deno.remove(`${sandbox.folder}/manual.pdf`);
    await hit.click();
    await page.getByText("The file is not there any more").waitFor();
  },
);

Deno.test("a page that cannot be loaded says what to do", { ignore: NO_BROWSER }, async () => {
  await using opened = await openPages({ "tea.md": "Tea." });
  const { page, context, problems } = opened;
  await context.route("**/*.js", (route) => route.abort());
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByText("If muxue_rag has ended, run it again").waitFor();
  // The browser reports what was cut off here.
  problems.length = 0;
});
