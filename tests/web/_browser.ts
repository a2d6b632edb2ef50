/** The web pages in a real browser: the program as a user starts it, and Chromium. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type Files, makeIndexed, makeSandbox, type Sandbox } from "../e2e/_program.ts";
import { startUi } from "../pages/_socket.ts";

const CHROMIUM = "/usr/bin/chromium";

/** Without Chromium the tests of the pages are skipped. */
export const NO_BROWSER: boolean = await Deno.stat(CHROMIUM).then(() => false, () => true);

/** How the pages are opened. */
export interface PagesOptions {
  /** The language of the browser. */
  readonly language?: "zh" | "en";
  readonly theme?: "light" | "dark";
  /** Further arguments of `ui`. */
  readonly args?: readonly string[];
  /** Further variables of the program. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder is not indexed. */
  readonly isNew?: boolean;
}

/** The opened pages. Disposal ends browser and program, and throws where the browser has reported a problem. */
export interface OpenedPages extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly sandbox: Sandbox;
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Errors of scripts and of the console, reports of the content security policy, requests to other hosts. */
  readonly problems: string[];
  /** Another page in the same browser with its problems reported, such as another tab or another language. */
  readonly newPage: (options?: PagesOptions) => Promise<Page>;
}

/** Starts `ui` over a folder with these files, and opens its address in a browser. */
export async function openPages(files: Files, options: PagesOptions = {}): Promise<OpenedPages> {
  const { args = [], env = {}, isNew = false } = options;
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await (isNew ? makeSandbox : makeIndexed)(files, { env }));
  const ui = stack.use(await startUi(sandbox, ["ui", "--dir", sandbox.folder, "--no-open", ...args]));
  const { origin, path, code } = ui;
  const browser = stack.adopt(await launchBrowser(), (browser) => browser.close());
  const problems: string[] = [];
  const context = await newContext(browser, options);
  const page = await watched(context, origin, problems);
  await page.goto(`${origin}${path}#code=${code}`);
  // The code of the address is exchanged before.
  await page.locator("main h1").waitFor();
  const rest = stack.move();
  return {
    page,
    context,
    sandbox,
    origin,
    problems,
    newPage: async (other) => {
      const place = other === undefined ? context : await newContext(browser, other);
      return await watched(place, origin, problems);
    },
    [Symbol.asyncDispose]: async () => {
      await rest.disposeAsync();
      if (problems.length > 0) throw new Error(`the browser reports:\n${problems.join("\n")}`);
    },
  };
}

/** Starts Chromium without a window. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}

async function newContext(browser: Browser, { language = "en", theme = "light" }: PagesOptions) {
  const locale = language === "zh" ? "zh-CN" : "en-US";
  return await browser.newContext({ locale, colorScheme: theme, viewport: { width: 1280, height: 900 } });
}

/** A page whose problems are noted. */
async function watched(context: BrowserContext, origin: string, problems: string[]): Promise<Page> {
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refused call is an answer of the program, and its page shows it.
    const isCall = message.location().url.startsWith(`${origin}/api/`);
    if (message.type() === "error" && !isCall) problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const { protocol, origin: to } = new URL(request.url());
    if (/^https?:$/.test(protocol) && to !== origin) problems.push(`request to ${request.url()}`);
  });
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    console.error("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample))`);
  return page;
}
