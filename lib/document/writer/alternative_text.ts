/** Returns the alternative text of a picture; `undefined` if it is empty or a program made it from a file name. */
export function alternative(text: string): string | undefined {
  const own = text.replace(
    /\s*(?:Description automatically generated.*|AI-generated content may be incorrect\.?|描述已自动生成)\s*$/is,
    "",
  )
    .replace(/\s+/g, " ").trim();
  const isMadeUp = own === "" || /\.(?:png|jpe?g|gif|emf|wmf|bmp|svg|tiff?|webp)$/i.test(own) ||
    /^(?:picture|image|graphic|图片|圖片|图像|grafik|bild) ?\d*$/i.test(own);
  return isMadeUp ? undefined : own;
}
