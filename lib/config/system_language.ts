import type { Language } from "../messages.ts";
import type { Environment, OperatingSystem } from "./user_dirs.ts";

/** The variables that POSIX names for messages, the strongest first. */
const VARIABLES = ["LC_ALL", "LC_MESSAGES", "LANG"];

/**
 * Returns `zh` if the system's language is Chinese, in any script or region, else `en`. It is read from `LC_ALL`,
 * `LC_MESSAGES` or `LANG` (POSIX, "Environment variables", 8.2). On Windows and macOS, programs are often started without
 * these variables. Then the system's setting counts.
 *
 * @param locale the system's setting as a tag of BCP 47. It is asked for only where it counts.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(systemLanguage({ LANG: "zh_TW.UTF-8" }, "linux"), "zh");
 * equal(systemLanguage({ LC_ALL: "C.UTF-8", LANG: "zh_CN" }, "linux"), "en");
 * equal(systemLanguage({}, "windows", () => "zh-Hans-CN"), "zh");
 * ```
 */
export function systemLanguage(
  env: Environment,
  os: OperatingSystem,
  locale: () => string = () => navigator.language,
): Language {
  const named = VARIABLES.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  const asks = named === undefined && (os === "windows" || os === "darwin");
  return /^zh(?![a-z])/i.test(asks ? locale() : named ?? "") ? "zh" : "en";
}
