// Bounded scheme length keeps the search linear on long runs of letters (calldata).
const urlPattern = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>\\]+/gi
// Says where the service itself listens; holds nothing secret.
const localUrlPattern = /^https?:\/\/(?:127\.0\.0\.1|0\.0\.0\.0|localhost|\[::1?\])(?::\d{1,5})?\/?$/
const apiKeyPattern = /\bcct_(?:live|test)_[A-Za-z0-9]+/g
const secretName =
  '(?:x-api-key|(?:proxy-)?authorization|(?:set-)?cookie|api[-_]?key|pass(?:word|phrase)|pgpassword|secret|private[-_]?key|mnemonic|access[-_]?token)'
const quotedSecretPattern = new RegExp(String.raw`("${secretName}"\s*:\s*")(?:[^"\\]|\\.)*(?=")`, 'gi')
const plainSecretPattern = new RegExp(
  String.raw`\b(${secretName}(?:\\*['"])?\s*[:=]\s*)(?!"|\[redacted\])((?:\\+['"]|')?)(?:(?:bearer|basic)\s+)?[^\s"'\\,;&{}[\]()]+`,
  'gi',
)
// The secret of balance events stands in the path that was asked for (wire.md 4.12).
const querySecretPattern = /([?&]id=)[^&#\s"'\\]+/gi
const jsonLiteralPattern = /^(?:null|true|false|-?\d+(?:\.\d+)?)$/
const hintPattern = /:\/\/|[?&]id=|cct_|key|authorization|cookie|pass|secret|mnemonic|token/i

const redactPlainSecret = (match: string, name: string, quote: string): string => {
  const value = match.slice(name.length + quote.length)
  // A JSON line must stay JSON: an unquoted literal after a JSON key is no secret text.
  if (quote === '' && /"\s*:\s*$/.test(name) && jsonLiteralPattern.test(value)) return match
  return `${name}${quote}[redacted]`
}

const redactSecretOfProse = (match: string, name: string, quote: string, at: number, text: string): string => {
  const isSentence = /:\s+$/.test(name) && /^[a-z]+$/.test(match.slice(name.length))
  // "together with apiKey: name the keys" goes on with words; a value stands alone.
  return isSentence && /^ [a-z]+\b/.test(text.slice(at + match.length, at + match.length + 40))
    ? match
    : redactPlainSecret(match, name, quote)
}

/**
 * Removes what must not leave the process from a text or a JSON line: URLs of any scheme (an RPC or database URL holds
 * its key; that of a local listener may stay), API keys, and values after the names of secrets. Linear in the length of the text (faults.md F96).
 */
export const redactText = (text: string): string => redacted(text, redactPlainSecret)

const redacted = (
  text: string,
  ofPlainSecret: (match: string, name: string, quote: string, at: number, text: string) => string,
): string => {
  if (!hintPattern.test(text)) return text
  return text
    .replace(urlPattern, (url) => (localUrlPattern.test(url) ? url : '[url]'))
    .replace(apiKeyPattern, '[key]')
    .replace(quotedSecretPattern, '$1[redacted]')
    .replace(querySecretPattern, '$1[redacted]')
    .replace(plainSecretPattern, ofPlainSecret)
}

const sqlPattern =
  /\b(?:select\s[\s\S]{0,2000}?\bfrom\s|insert\s+into\s|update\s+"?[\w.]+"?\s+set\s|delete\s+from\s|with\s+"?\w+"?\s+as\s)[\s\S]*?(?= - |$)/gi

/** `redactText` for the message of an error, which may hold a statement, and sentences that go on behind the name of a secret. */
export const redactErrorMessage = (message: string): string =>
  redacted(message.replace(sqlPattern, '[sql]'), redactSecretOfProse)

/** A copy of a JSON-like value with every text redacted, at most `depth` levels deep. */
export const redactValue = (value: unknown, depth = 6): unknown => {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redactValue(entry, depth - 1)]))
}
