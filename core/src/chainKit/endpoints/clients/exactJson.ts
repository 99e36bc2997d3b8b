/** A string, or a number: outside strings, digits occur in JSON in numbers alone. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs

/**
 * Reads JSON with every number as its own text: for nodes that write amounts above 2^53 as numbers.
 * @throws SyntaxError for text that is no JSON
 */
export const parseExactJson = (text: string): unknown => {
  JSON.parse(text)
  return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}
