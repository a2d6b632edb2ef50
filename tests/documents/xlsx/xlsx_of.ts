import { zipOf } from "../zip_of.ts";

const X = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
export const R = `xmlns:r="${OFFICE}"`;

/** Returns the relations of a part: last segment of the type, and target. */
export function relations(...pairs: [type: string, target: string][]): string {
  const all = pairs.map(([type, target], i) =>
    `<Relationship Id="r${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${
    all.join("")
  }</Relationships>`;
}

/** Returns a workbook with further parts. `sheets`: the XML inside of `worksheet`, by name. */
export function xlsxOf(
  sheets: Readonly<Record<string, string>>,
  { parts = {}, styles = "", strings = "", states = {}, properties = "" }: {
    readonly parts?: Readonly<Record<string, string>>;
    readonly styles?: string;
    readonly strings?: string;
    readonly states?: Readonly<Record<string, string>>;
    readonly properties?: string;
  } = {},
): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets);
  const entries = names.map((name, i) =>
    `<sheet name="${name}" sheetId="${i + 1}" state="${states[name] ?? "visible"}" r:id="r${i + 1}"/>`
  );
  return zipOf({
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook ${X} ${R}>${properties}<sheets>${entries.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      ...names.map((_, i): [string, string] => ["worksheet", `worksheets/sheet${i + 1}.xml`]),
      ["person", "persons/person.xml"],
    ),
    ...Object.fromEntries(
      names.map((name, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet ${X} ${R}>${sheets[name]}</worksheet>`,
      ]),
    ),
    ...(strings === "" ? {} : { "xl/sharedStrings.xml": `<sst ${X}>${strings}</sst>` }),
    ...(styles === "" ? {} : { "xl/styles.xml": `<styleSheet ${X}>${styles}</styleSheet>` }),
    ...parts,
  });
}

/** Returns rows of inline strings as `sheetData`. An empty text adds no cell. */
export function data(...rows: readonly (readonly string[])[]): string {
  const cell = (text: string, row: number, column: number) =>
    text === ""
      ? ""
      : `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>${text}</t></is></c>`;
  return `<sheetData>${
    rows.map((cells, row) =>
      `<row r="${row + 1}">${cells.map((text, i) => cell(text, row, i)).join("")}</row>`
    )
      .join("")
  }</sheetData>`;
}
