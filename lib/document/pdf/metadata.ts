import type { PDFDocumentProxy } from "unpdf/pdfjs";
import type { Metadata } from "../types.ts";

/** Returns title and metadata of a PDF. Empty if they are broken. */
export async function readMetadata(pdf: PDFDocumentProxy): Promise<{ title?: string; metadata: Metadata }> {
  let info: Record<string, unknown>;
  try {
    info = (await pdf.getMetadata()).info as Record<string, unknown>;
  } catch {
    return { metadata: {} };
  }
  const text = (key: string) => {
    const value = info[key];
    return typeof value === "string" && value.trim() !== "" ? value.replace(/\0/g, "").trim() : undefined;
  };
  const title = text("Title"),
    author = text("Author"),
    date = pdfDate(text("CreationDate")),
    language = text("Language");
  return {
    ...(title === undefined || isFileName(title) ? {} : { title }),
    metadata: {
      ...(author === undefined ? {} : { author }),
      ...(date === undefined ? {} : { date, created: date }),
      ...(language === undefined || !/^[A-Za-z]{2,3}(?:-[A-Za-z\d]+)*$/.test(language) ? {} : { language }),
    },
  };
}

/** Returns whether a title is a file name or meaningless: programs write that. */
function isFileName(title: string): boolean {
  return /^(?:untitled|microsoft word|无标题|document\d*$)/i.test(title) ||
    /\.(?:docx?|pptx?|xlsx?|tex|dvi|pdf|indd|odt|qxd|html?|ps|rtf|fm)$/i.test(title);
}

/** Returns a date of a PDF, `D:20240501120000+08'00'`, in ISO 8601. */
export function pdfDate(date: string | undefined): string | undefined {
  const parts = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?(?:([-+])(\d\d)'?(\d\d)?|(Z))?/.exec(
    date ?? "",
  );
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second = "00", sign, zoneHour, zoneMinute = "00", utc] = parts;
  if (month === undefined || Number(month) < 1 || Number(month) > 12) return year;
  if (day === undefined || Number(day) < 1 || Number(day) > 31) return `${year}-${month}`;
  if (hour === undefined || Number(hour) > 23) return `${year}-${month}-${day}`;
  const zone = sign !== undefined ? `${sign}${zoneHour}:${zoneMinute}` : utc !== undefined ? "Z" : "";
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}
