import { ConfigError, maskSecrets, printConfig } from "../../../config/mod.ts";
import { message, printableText } from "../../../messages.ts";
import { configurationFor } from "../../configuration.ts";
import { abortable, type Context, note, warnText } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printJson } from "../../json.ts";

/** `config check`: prints the configuration in effect with its secrets masked. A wrong configuration gives exit code 2. */
export async function configCheck(context: Context): Promise<number> {
  const { io, flags, signal } = context;
  try {
    const { config, source, warnings } = await abortable(configurationFor(io, flags), signal);
    const { language } = config;
    const spoken = { ...context, language };
    for (const text of warnings) warnText(spoken, text);
    const from = { source: source ?? message(language, "cli_config_builtin") };
    if (flags.json) {
      const data = { source, warnings, config: maskSecrets(config) };
      await printJson(spoken, data, message(language, "cli_config_ok", from));
    } else {
      note(spoken, "cli_config_ok", from);
      await io.out(printableText(printConfig(config)));
    }
    return EXIT.done;
  } catch (error) {
    if (!flags.json || !(error instanceof ConfigError)) throw error;
    const text = message(error.language, error.key, error.params);
    await printJson(context, { problems: error.problems }, text, 500);
    return EXIT.usage;
  }
}
