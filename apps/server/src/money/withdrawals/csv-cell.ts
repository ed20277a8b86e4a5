/** A cell of a file for a bank: one line, and marked as text if a spreadsheet would treat it as a formula. */
export function csvCell(text: string): string {
  const line = text.replaceAll(/[\r\n\t]/g, ' ');
  const inert = /^\s*[=+\-@＝＋－＠]/.test(line) ? `'${line}` : line;
  return `"${inert.replaceAll('"', '""')}"`;
}
