/** Small files with visible content, for samples. */

/** A picture of 120 by 32 pixels: the sign of a fictional book shop. */
export const LOGO_PNG: Uint8Array = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAHgAAAAgAgMAAACk11TbAAAADFBMVEX///8fTnn///+as8njYxoyAAAAOklEQVR42mNgoAiwhoJB" +
    "wFCWDsUAxEivAgLypSmzm4DHYHaTJ02dQP2PDDDtJk+agOFESg+1lEoRAAA3Qa2o4AEkrwAAAABJRU5ErkJggg==",
);

/** A PDF of one page (ISO 32000-1 section 7.5) with these lines, which are ASCII without brackets or backslashes. */
export function pdfOf(lines: readonly string[]): Uint8Array {
  const content = ["BT /F1 12 Tf 18 TL 72 760 Td", ...lines.map((line) => `(${line}) '`), "ET"]
    .join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R " +
    "/Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}` +
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}
