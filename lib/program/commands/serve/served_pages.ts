/** The web pages beside a server over HTTP. */
import { checkPages, Entry, Pages } from "#pages/mod.ts";
import type { TokenBook } from "#library/people/mod.ts";
import type { HttpDoor, HttpPages, LimitedParts, LimitedToken } from "#server/mod.ts";
import { note } from "../../say.ts";
import type { Session } from "../../request.ts";
import { pagesPartsOf } from "./pages_parts.ts";
import type { ServedLibrary } from "./served_library.ts";

/** The pages of a server, and a function that tells the user how to open them. */
interface ServedPages {
  readonly make: (door: HttpDoor) => HttpPages;
  /** `url`: address of the endpoint of the protocol. */
  readonly tell: (url: string) => void;
}

/**
 * Returns the pages of a server. If clients need a token of the server, people sign in with such a token, and its limits hold. Otherwise
 * an address with a code opens the pages, as with `ui`. Throws `UserError` `pages_not_built`.
 */
export async function servedPages(
  session: Session,
  library: ServedLibrary,
  { people, partsOf }: { people: TokenBook; partsOf: (token: LimitedToken) => LimitedParts },
): Promise<ServedPages> {
  const { http, io } = session;
  await checkPages();
  const entry = new Entry<LimitedToken>();
  const parts = await pagesPartsOf(session, library);
  const hasTokens = http?.tokenHash !== null || http.limitedTokens !== undefined || people.isGuarding;
  return {
    make: (door) =>
      new Pages<LimitedToken>({
        door: { ...door, entry },
        partsOf: (guest) =>
          guest === "owner" ? parts : {
            ...parts,
            library: partsOf(guest).library,
            upkeep: undefined,
            answering: undefined,
            work: undefined,
          },
      }),
    tell: (url) => {
      const { origin } = new URL(url);
      const newAddress = () => hasTokens ? `${origin}/` : `${origin}/#code=${entry.newCode()}`;
      note(session, hasTokens ? "pages_beside" : "pages_beside_code", { url: newAddress() });
      if (!hasTokens && io.terminal.stdin) void repeat(session, newAddress);
    },
  };
}

/** Prints an address with a new code for each line at the terminal. */
export async function repeat({ io, signal }: Session, newAddress: () => string): Promise<void> {
  while (await io.readLine(signal) !== undefined) await io.out(`${newAddress()}\n`);
}
