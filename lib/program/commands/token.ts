/** The commands `token add`, `token list` and `token revoke`: the people who may ask a server over HTTP. */
import { UsageError, UserError } from "#foundation/errors.ts";
import { message, printable } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import {
  checkName,
  endOf,
  type Grant,
  grantOf,
  isValid,
  newToken,
  tokenHash,
  type TokenRecord,
  tokenStore,
} from "#library/people/mod.ts";
import { type Context, EXIT } from "../context.ts";
import { formatTime } from "../progress.ts";
import type { Session } from "../request.ts";
import { note, printJson } from "../say.ts";
import { isPath } from "./named_files.ts";
import { displayWidth, styleFor } from "../terminal_text.ts";

/** The life of a token unless `--expires` says otherwise. */
const LIFE = "90d";

/** `token add NAME`: makes a token and prints it. It is not shown again. */
export async function tokenAdd(session: Session): Promise<number> {
  const { io, flags } = session;
  const name = checkName(session.operands.join(" "));
  const grants = grantsOf(session);
  const levels = flags.accessLevel ?? [];
  if (levels.length > 0 && grants.some(({ right }) => right === "write")) {
    throw new UsageError("token_write_limited");
  }
  const made = new Date();
  const expires = endOf(flags.expires ?? LIFE, made);
  const access = levels.length > 0 ? { levels } : undefined;
  const token = newToken();
  const store = await tokenStore(session.config, session.stateDir);
  const isFirst = (await store.list()).length === 0;
  await store.add(present({ name, grants, access, made, expires, hash: tokenHash(token) }));
  if (flags.json) {
    await printJson(session, present({ name, token, grants, access_levels: access?.levels, expires }));
    return EXIT.done;
  }
  await io.out(`${token}\n`);
  if (expires === undefined) note(session, "cli_token_added_forever", { name });
  else note(session, "cli_token_added", { name, end: formatTime(expires) });
  if (isFirst) note(session, "cli_token_first");
  return EXIT.done;
}

/** `token list`: lists names, rights and ends of the tokens, and neither the tokens nor their hashes. */
export async function tokenList(session: Session): Promise<number> {
  const { io, flags } = session;
  const records = await (await tokenStore(session.config, session.stateDir)).list();
  if (flags.json) {
    const tokens = records.map(({ name, grants, access, made, expires, revoked, used }) =>
      present({ name, grants, access_levels: access?.levels, made, expires, revoked, used })
    );
    await printJson(session, { tokens });
  } else if (records.length === 0) {
    note(session, "cli_token_none");
  } else {
    await io.out(listText(records, session));
  }
  return EXIT.done;
}

/** `token revoke NAME`: ends a token. */
export async function tokenRevoke(session: Session): Promise<number> {
  const name = checkName(session.operands.join(" "));
  if (!await (await tokenStore(session.config, session.stateDir)).revoke(name)) {
    throw new UserError("token_unknown", { name });
  }
  if (session.flags.json) await printJson(session, { name });
  else note(session, "cli_token_revoked", { name });
  return EXIT.done;
}

/** The rights of `--collection`, with real paths. */
function grantsOf({ flags, config, named }: Session): readonly Grant[] {
  const asked = flags.collection ?? [];
  if (asked.length === 0) throw new UsageError("token_no_collection");
  const known = Object.keys(config.collections);
  const paths = [...named];
  return asked.map((text) => {
    const grant = grantOf(text);
    const real = isPath(grant.collection) ? paths.shift() : undefined;
    // A name may have a slash.
    if (known.includes(grant.collection)) return grant;
    if (real !== undefined) return { ...grant, collection: real };
    throw new UsageError("token_collection_unknown", {
      name: grant.collection,
      known: known.join(", ") || "–",
    });
  });
}

function listText(records: readonly TokenRecord[], { io, language }: Context): string {
  const style = styleFor(io, "stdout");
  const columns = ["name", "state", "expires", "used", "collections"] as const;
  const now = new Date();
  const rows = [
    columns.map((column) => message(language, `cli_token_column_${column}`)),
    ...records.map((record) => {
      const { name, grants, access, expires, used } = record;
      const state = isValid(record, now) ? "valid" : record.revoked === undefined ? "expired" : "ended";
      const rights = grants.map(({ collection, right }) =>
        right === "read" ? collection : `${collection}:${right}`
      );
      const levels = access?.levels === undefined
        ? ""
        : message(language, "cli_token_levels", { levels: access.levels.join(", ") });
      const time = (time: Date | undefined) =>
        time === undefined ? message(language, "cli_token_never") : formatTime(time);
      return [
        name,
        message(language, `cli_token_${state}`),
        time(expires),
        time(used),
        rights.join(", ") + levels,
      ];
    }),
  ].map((row) => row.map(printable));
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at]!))));
  return rows.map((row, at) => {
    const line = row.map((cell, i) => cell + " ".repeat(widths[i]! - displayWidth(cell))).join("  ")
      .trimEnd();
    return `${at === 0 ? style.dim(line) : line}\n`;
  }).join("");
}
