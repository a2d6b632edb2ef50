import { nearest } from "../../../config/mod.ts";
import { UsageError } from "../../../errors.ts";
import { message } from "../../../messages.ts";
import type { Declared } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { bashScript } from "./bash.ts";
import { type Completed, completedCommands } from "./completed.ts";
import { fishScript } from "./fish.ts";
import { pwshScript } from "./pwsh.ts";
import { type Shell, SHELLS } from "./shells.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS: Readonly<Record<Shell, (completed: Completed, comment: string) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  pwsh: pwshScript,
};

/** The command that loads the script, for a shell's start-up file. */
const LOADING: Readonly<Record<Shell, string>> = {
  bash: `~/.bashrc: eval "$(muxue_rag completions bash)"`,
  zsh: `~/.zshrc: autoload -U compinit && compinit; eval "$(muxue_rag completions zsh)"`,
  fish: "~/.config/fish/config.fish: muxue_rag completions fish | source",
  pwsh: "$PROFILE: muxue_rag completions pwsh | Out-String | Invoke-Expression",
};

/** `completions SHELL`: prints the script for a shell, with descriptions in the language of the messages. */
export async function completions({ io, operands, language }: Context, all: Declared): Promise<number> {
  const shell = shellNamed(operands[0] ?? "");
  const comment = message(language, "cli_completions_comment", { line: LOADING[shell] });
  await io.out(SCRIPTS[shell](completedCommands(all, language), comment));
  return EXIT.done;
}

function shellNamed(name: string): Shell {
  const shell = SHELLS.find((known) => known === name);
  if (shell !== undefined) return shell;
  const suggestion = nearest(name, SHELLS);
  throw suggestion === undefined
    ? new UsageError("cli_completions_unknown", { shell: name, shells: SHELLS.join(", ") })
    : new UsageError("cli_completions_unknown_suggest", { shell: name, suggestion });
}
