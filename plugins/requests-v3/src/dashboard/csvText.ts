/** Beginnings that make a spreadsheet take a text for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A text of somebody else's as a cell: never a formula, and in quotes where it would break the line. */
export const textCell = (text: string | null): string => {
  const plain = FORMULA.test(text ?? '') ? `'${text}` : (text ?? '')
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Lines as RFC 4180 has them, of cells that are written already. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.join(',')}\r\n`).join('')
