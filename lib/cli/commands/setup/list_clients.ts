import { message, printable } from "../../../messages.ts";
import { displayWidth } from "../../display_width.ts";
import { EXIT } from "../../exit.ts";
import { printJson } from "../../json.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Session } from "../../session.ts";
import { styleFor } from "../../style.ts";
import { thisMachine, userFile } from "./client_file.ts";
import { CLIENTS } from "./clients.ts";

/** `setup` without a client: lists the clients, their files, and which clients seem to be installed. */
export async function listClients(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const machine = await thisMachine(io.env);
  const clients = [];
  for (const client of CLIENTS) {
    const { path, exists, installed } = await userFile(client, machine);
    const project = client.project?.join("/") ?? null;
    clients.push({ client: client.id, title: client.name, path, exists, installed, project });
  }
  if (flags.json) {
    await printJson(session, { clients });
    return EXIT.done;
  }
  const { bold, dim, green } = styleFor(io, "stdout");
  const states = [
    message(language, "cli_setup_installed"),
    message(language, "cli_setup_not_installed_here"),
  ];
  const idWidth = Math.max(...CLIENTS.map(({ id }) => id.length));
  const stateWidth = Math.max(...states.map(displayWidth));
  const lines = clients.map(({ client, path, installed, project }) => {
    const state = states[installed ? 0 : 1] ?? "";
    const padding = " ".repeat(stateWidth - displayWidth(state));
    const more = project === null
      ? ""
      : dim(`  (${printableMessage(language, "cli_setup_in_project", { path: project })})`);
    const name = bold(client.padEnd(idWidth));
    return `  ${name}  ${installed ? green(state) : dim(state)}${padding}  ${printable(path)}${more}\n`;
  });
  await io.out(`${message(language, "cli_setup_clients")}\n${lines.join("")}`);
  return EXIT.done;
}
