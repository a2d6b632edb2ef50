import type { Face } from "./types.ts";

/** Returns the face that the PostScript name of a font describes. `SFBX1200`, `CMTT10` and the like are fonts of TeX. */
export function faceOf(postScriptName: string): Face {
  const name = postScriptName.replace(/^[A-Z]{6}\+/, "");
  return {
    name,
    bold: /bold|black|heavy|demi|semibold/i.test(name) ||
      /^(CMBX|CMSSBX|SFBX|SFSX|LMRoman.*bold|NimbusRomNo9L-Medi|NimbusSanL-Bold)/.test(name) ||
      /^(NimbusRomNo9L-Medi|URWPalladioL-Bold|CharterBT-Bold)/.test(name) || /-(Bd|Md|Medi|B|BI)$/.test(name),
    italic: /italic|oblique|slanted|kursiv/i.test(name) || /^(CMTI|CMSL|SFTI|SFSL)/.test(name) ||
      /-(It|ReguItal|MediItal|BI|I)$/.test(name),
    mono:
      /mono|courier|consol|typewriter|menlo|monaco|fixed|inconsolata|hack-|sourcecode|lettergothic|andale|ocr/i
        .test(name) ||
      /^(CMTT|SFTT|ECTT|LMTT|CMSLTT|txtt|NimbusMon|FreeMono|CMITT|CMCSC.*TT|LMMono|BeraSansMono|Code)/.test(
        name,
      ),
  };
}
