/** A string, or a number: outside strings, digits occur in JSON in numbers alone. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs

const isPlain = (token: string): boolean => Number.isSafeInteger(Number(token)) && !/[.eE]/.test(token)

/**
 * Reads JSON without turning amounts into floating point: a number with a point or an exponent, or beyond 2^53, comes out as
 * its very text; plain whole numbers stay numbers.
 * @throws SyntaxError when it is no JSON
 */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') || isPlain(token) ? token : `"${token}"`)))
