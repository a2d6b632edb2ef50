/** Calls of a component: data that is fetched anew when what it depends on changes, and actions of the user. */
import { useEffect, useState } from "preact/hooks";
import { language } from "#web/texts.ts";

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Fetches it again. */
  readonly reload: () => void;
}

/**
 * Fetches data when the component is first shown and when `key` or the language changes, since answers have texts; `undefined` fetches
 * nothing. While new data is fetched, the old stays. A call that is not wanted any more is aborted.
 */
export function useLoaded<T>(
  key: string | undefined,
  fetch: (signal: AbortSignal) => Promise<T>,
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>(NOTHING);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (key === undefined) return setState(NOTHING);
    const gone = new AbortController();
    setState(({ data }) => ({ data, error: undefined, isLoading: true }));
    fetch(gone.signal).then(
      (data) =>
        gone.signal.aborted ||
        setState({ data, error: undefined, isLoading: false }),
      (error) =>
        gone.signal.aborted ||
        setState({ data: undefined, error, isLoading: false }),
    );
    return () => gone.abort();
  }, [key, round, language.value]);
  return { ...state, reload: () => setRound(round + 1) };
}

export interface Action {
  /** Why the last one failed. */
  readonly error: unknown;
  readonly isRunning: boolean;
  /** Runs an action. Its error is shown, not thrown. */
  readonly run: (action: () => Promise<unknown>) => void;
}

/** The actions of a component, and how the last of them ended. */
export function useAction(): Action {
  const [{ error, isRunning }, setState] = useState<Omit<Action, "run">>(IDLE);
  const run = (action: () => Promise<unknown>) => {
    setState({ error: undefined, isRunning: true });
    action().then(() => setState(IDLE), (error) => setState({ error, isRunning: false }));
  };
  return { error, isRunning, run };
}

const IDLE = { error: undefined, isRunning: false };
const NOTHING = { data: undefined, error: undefined, isLoading: false };
