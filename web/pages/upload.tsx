/** Adding a file to a folder that allows it. */
import { useId, useState } from "preact/hooks";
import type { UploadAnswer } from "#wire/ingestion.ts";
import { call } from "#web/api.ts";
import { Failure, Notice } from "#web/components/notice.tsx";
import { bytes, textsOf } from "#web/texts.ts";
import { INGESTION } from "#web/texts/ingestion.ts";

const t = textsOf(INGESTION);

export function Upload({ folder, maxBytes, onDone }: {
  readonly folder: string;
  readonly maxBytes: number;
  /** Called with the update that takes up the file. */
  readonly onDone: (run: string) => void;
}) {
  const id = useId();
  const [text, setText] = useState("");
  const [error, setError] = useState<unknown>();
  const add = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (file === undefined) return;
    setError(undefined);
    setText(t("uploading", { path: file.name }));
    try {
      if (file.size > maxBytes) throw new Error(t("too_large", { size: bytes(maxBytes) }));
      const body = { folder, name: file.name, data: await base64Of(file) };
      const { path, run } = await call<UploadAnswer>("ingestion/upload", body);
      setText(t("uploaded", { path }));
      onDone(run.id);
    } catch (error) {
      setText("");
      setError(error);
    }
    // The same file may be chosen again.
    input.value = "";
  };
  return (
    <div class="field">
      <label for={id}>{t("upload")}</label>
      <input
        id={id}
        type="file"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => void add(currentTarget)}
      />
      <small id={`${id}-hint`}>{t("upload_hint", { folder, size: bytes(maxBytes) })}</small>
      {text !== "" && <Notice>{text}</Notice>}
      {error !== undefined && <Failure error={error} />}
    </div>
  );
}

/** The bytes of a file in base64. A data URL has them after a comma. */
function base64Of(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
