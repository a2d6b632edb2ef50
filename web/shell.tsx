/** The frame around every page: navigation, language, appearance, keys. Pages are loaded when they are first shown. */
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PAGE_NAMES } from "#wire/common.ts";
import { CallError, openSession, openWith, session } from "#web/api.ts";
import { Dialog } from "#web/components/dialog.tsx";
import { Choice, Field } from "#web/components/field.tsx";
import { Link } from "#web/components/link.tsx";
import { Failure, Notice } from "#web/components/notice.tsx";
import { currentKeys, useKeys } from "#web/keys.ts";
import { type Page, route } from "#web/router.ts";
import { changeLanguage, language, textsOf } from "#web/texts.ts";
import { SHELL } from "#web/texts/shell.ts";
import { changeTheme, theme, THEMES } from "#web/theme.ts";

const t = textsOf(SHELL);

type Load = () => Promise<{ readonly default: FunctionComponent }>;

/** The code of each page. */
const PAGES: Readonly<Partial<Record<Page, Load>>> = {
  search: () => import("#web/pages/search.tsx"),
  "why-not": () => import("#web/pages/why_not.tsx"),
  overview: () => import("#web/pages/overview.tsx"),
  documents: () => import("#web/pages/documents.tsx"),
  ingestion: () => import("#web/pages/ingestion.tsx"),
  "ingestion-traces": () => import("#web/pages/traces.tsx"),
  "query-traces": () => import("#web/pages/traces.tsx"),
  evaluation: () => import("#web/pages/evaluation.tsx"),
  patterns: () => import("#web/pages/patterns.tsx"),
};

export function Shell() {
  const [error, setError] = useState<unknown>();
  const [showsKeys, setShowsKeys] = useState(false);
  useEffect(() => void openSession().catch(setError), []);
  useKeys([{ key: "?", label: t("key_help"), run: () => setShowsKeys(true) }]);
  const { page } = route.value;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skip(event)}>
        {t("skip")}
      </a>
      <header>
        <span class="product">muxue_rag</span>
        <nav aria-label={t("navigation")}>
          <ul>
            {PAGE_NAMES.map((name) => (
              <li key={name}>
                <Link page={name} current={name === page}>{t(name)}</Link>
              </li>
            ))}
          </ul>
        </nav>
        <div class="settings">
          <Choice
            label={t("language")}
            value={language.value}
            options={[{ value: "zh", text: "中文" }, {
              value: "en",
              text: "English",
            }]}
            onChange={changeLanguage}
          />
          <Choice
            label={t("theme")}
            value={theme.value}
            options={THEMES.map((value) => ({ value, text: t(value) }))}
            onChange={changeTheme}
          />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {session.value !== undefined
          ? <CurrentPage key={page} page={page} />
          : error === undefined
          ? <p role="status">{t("loading")}</p>
          : <SignIn error={error} onOpen={() => setError(undefined)} />}
      </main>
      {showsKeys && (
        <Dialog
          title={t("keys")}
          onClose={() => setShowsKeys(false)}
        >
          <dl class="keys">
            {currentKeys().map(({ key, label }) => [
              <dt key={key}>
                <kbd>{shownKey(key)}</kbd>
              </dt>,
              <dd key={`${key} label`}>{label}</dd>,
            ])}
          </dl>
        </Dialog>
      )}
    </>
  );
}

function shownKey(key: string): string {
  return key === "Escape" ? "Esc" : key;
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** A page, as soon as its code is there. */
function CurrentPage({ page }: { readonly page: Page }) {
  const [state, setState] = useState<
    { readonly Page?: FunctionComponent; readonly isLost?: boolean }
  >({});
  useEffect(() => {
    PAGES[page]?.().then(
      (module) => setState({ Page: module.default }),
      () => setState({ isLost: true }),
    );
  }, [page]);
  const title = t(page);
  useEffect(() => void (document.title = `${title} – muxue_rag`), [title]);
  if (state.isLost) {
    return (
      <Notice kind="error">
        {t("page_failed")}
      </Notice>
    );
  }
  const { Page } = state;
  return (
    <>
      <h1>{title}</h1>
      {Page === undefined ? <p role="status">{t("loading")}</p> : <Page />}
    </>
  );
}

/** The form in place of a page while the browser has no token. */
function SignIn(
  { error, onOpen }: { readonly error: unknown; readonly onOpen: () => void },
) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState(error);
  const isUnknown = problem instanceof CallError &&
    problem.key === "pages_no_token";
  return (
    <>
      <h1>{t("not_open")}</h1>
      {!isUnknown && <Failure error={problem} />}
      {/* Other failures say it themselves. */}
      {isUnknown && <p>{t("how_to_open")}</p>}
      <form
        class="sign-in"
        onSubmit={(event) => {
          event.preventDefault();
          openWith(token).then(onOpen, setProblem);
        }}
      >
        <Field
          label={t("token")}
          hint={t("token_hint")}
          type="password"
          value={token}
          onChange={setToken}
        />
        <button type="submit" class="main">{t("open")}</button>
      </form>
    </>
  );
}
