import { deepEqual, equal } from "node:assert/strict";
import { posixTest } from "../_posix.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

const ATTACK = `<img src=x onerror="document.title='caught'"><script>document.title='caught'</script>`;

/** Names and texts that would do something if they became HTML, an address or code. */
const FILES = {
  [`${ATTACK.replaceAll("/", "∕")}.md`]:
    `# ${ATTACK}\n\narchive ${ATTACK} [link](javascript:document.title='caught')\n`,
  "\u202egnp.exe.md": "# Turned\n\narchive turned around\n",
  "a'\"`${alert(1)}&amp;#x3c;.md": "archive <svg onload=document.title='caught'> archive\n",
  "page.html":
    `<title>archive</title><body onload="document.title='caught'"><p>archive</p><iframe src="https://evil.example"></iframe>`,
  "picture.svg":
    `<svg xmlns="http://www.w3.org/2000/svg"><script>document.title='caught'</script><text>archive</text></svg>`,
};

// Windows allows none of these names. Disposal fails where the browser has reported a breach of its policy, or a request elsewhere.
if (!NO_BROWSER) {
  posixTest("hostile names and texts are shown as texts, and break no policy", async () => {
    await using opened = await openPages(FILES);
    const { page } = opened;
    await page.getByRole("searchbox").fill("archive");
    await page.keyboard.press("Enter");
    await page.getByRole("article").nth(2).waitFor();
    const names = await page.getByRole("article").getByRole("heading").allInnerTexts();
    equal(names.some((name) => name.includes("<img src=x onerror=")), true);
    deepEqual(
      await page.evaluate(
        "[document.title, document.querySelectorAll('main img, main script, main svg, main iframe').length]",
      ),
      ["Search – muxue_rag", 0],
    );
  });

  posixTest("the browser refuses texts that become HTML or code, and reports it", async () => {
    await using opened = await openPages({ "tea.md": "# Tea\n" });
    const { page, problems } = opened;
    const refused = await page.evaluate(`[
      () => document.createElement("p").innerHTML = "<b>x</b>",
      () => new Worker("data:text/javascript,1"),
      () => document.createElement("script").src = "data:text/javascript,1",
    ].map((act) => {
      try { return act(); } catch (error) { return error.name; }
    })`);
    deepEqual(refused, ["TypeError", "TypeError", "TypeError"]);
    const reports = () =>
      problems.flatMap((problem) => /policy: .*trusted-types-sink (.*)\|/.exec(problem)?.[1] ?? []);
    while (reports().length < 3) await page.waitForTimeout(10);
    deepEqual(reports(), ["Element innerHTML", "Worker constructor", "HTMLScriptElement src"]);
    // The browser says the same in words of its own.
    await page.waitForTimeout(200);
    problems.splice(0);
  });
}
