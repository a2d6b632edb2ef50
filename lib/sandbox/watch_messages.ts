/** A request to the thread that watches: watch these folders of a root under a number, or end the watch with that number. */
export type WatchRequest =
  | { readonly id: number; readonly root: string; readonly folders: readonly string[] }
  | { readonly id: number; readonly root?: undefined };

/**
 * A message of the thread that watches: the watch has begun, or could not begin; paths that were changed; the watch has
 * ended, with the system's error or after too many events.
 */
export type WatchReport =
  & { readonly id: number }
  & (
    | { readonly begun: true }
    | { readonly refused: string }
    | { readonly changed: readonly string[] }
    | { readonly ended: string | undefined }
  );
