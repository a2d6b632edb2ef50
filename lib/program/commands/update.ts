/**
 * `update --check`: asks the page of the setting `updates.url` for the newest version. Nothing else in the program asks it,
 * and nothing is installed.
 */
import { readPage } from "#models/install/mod.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import { EXIT } from "../context.ts";
import { printableErrorText, printableMessage, printJson } from "../say.ts";
import type { Session } from "../request.ts";

/** The list of a release's files has 2 KB, GitHub's description of a release some 50 KB. */
const MAX_PAGE_MB = 1;
const TIMEOUT_MS = 15_000;

/** Whether there is a newer version; `unreachable` and `not_understood` where the page does not tell. */
type State = "newer" | "current" | "unreachable" | "not_understood";

/** `update`: with `--check` says whether there is a newer version. Fails where the page does not tell. */
export async function update(session: Session): Promise<number> {
  const { flags, config: { updates: { url: address } }, version, language, io } = session;
  if (!flags.check) throw new UsageError("cli_update_check_missing");
  if (address === null) throw new UsageError("cli_update_no_page");
  const url = new URL(address);
  const say = async (state: State, latest: string | null, text: string) => {
    const isKnown = latest !== null;
    if (flags.json) await printJson(session, { state, version, latest, host }, text, isKnown ? 200 : 500);
    else if (isKnown) await io.out(`${text}\n`);
    else io.err(`${text}\n`);
    return isKnown ? EXIT.done : EXIT.failed;
  };
  const { host } = url;
  try {
    const latest = await newestOn(url, session.signal);
    const state = isNewer(latest, version) ? "newer" : "current";
    const text = printableMessage(language, `cli_update_${state}`, { latest, version, host });
    return await say(state, latest, text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const state = error.key === "cli_update_not_understood" ? "not_understood" : "unreachable";
    return await say(state, null, printableErrorText(error, language, false));
  }
}

/** The newest version that a page names. Throws `UserError` if the page cannot be read or names none. */
async function newestOn(url: URL, signal: AbortSignal): Promise<string> {
  const { host } = url;
  const limits = { maxBytes: MAX_PAGE_MB * 1e6, timeoutMs: TIMEOUT_MS, signal };
  const { status, bytes } = await readPage(url, limits).catch((error) => {
    const isElsewhere = error instanceof UserError && error.key === "model_redirected";
    throw isElsewhere ? new UserError("cli_update_redirected", error.params) : error;
  });
  if (status !== 200) throw new UserError("cli_update_status", { host, status });
  if (bytes === undefined) throw new UserError("cli_update_too_large", { host, limit: MAX_PAGE_MB });
  const latest = versionIn(new TextDecoder().decode(bytes));
  if (latest === undefined) throw new UserError("cli_update_not_understood", { host });
  return latest;
}

/** A version of semver.org that names no build. `v` may stand before it. Its length is limited, as it is shown. */
const VERSION = /^v?(\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,40})?)$/;

/** The version on a page: JSON of a code host's release or of an npm registry, or a release's `SHA256SUMS`. */
function versionIn(page: string): string | undefined {
  if (/^\s*\{/.test(page)) {
    try {
      const { tag_name: tag, version } = JSON.parse(page);
      return VERSION.exec(String(tag ?? version))?.[1];
    } catch {
      return undefined;
    }
  }
  const [, name = ""] = /^[0-9a-f]{64} [ *]muxue_rag-(\S+)-(?:linux|macos|windows)-\w+\.(?:tar\.gz|zip)$/m
    .exec(page) ?? [];
  return VERSION.exec(name)?.[1];
}

/** Whether a version comes after another one, by semver.org; of two before the same release, numbers in the text count as numbers. */
function isNewer(version: string, than: string): boolean {
  const [core = "", ...before] = version.split("-");
  const [coreThan = "", ...beforeThan] = than.split("-");
  const order = core.localeCompare(coreThan, "en", { numeric: true });
  if (order !== 0 || beforeThan.length === 0) return order > 0;
  return before.length === 0 ||
    before.join("-").localeCompare(beforeThan.join("-"), "en", { numeric: true }) > 0;
}
