import { HttpError } from '../httpError.js'
import { isStorableText } from './storableText.js'

/** How deep a body may nest; the deepest body of the API has 6 levels. */
export const MAX_JSON_DEPTH = 32

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Position of the quote that ends the text which begins at `start` (after its opening quote). */
const endOfText = (json: string, start: number): number => {
  let end = json.indexOf('"', start)
  while (end !== -1) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
    end = json.indexOf('"', end + 1)
  }
  return json.length
}

const keyAt = (json: string, start: number, end: number): string => {
  const raw = json.slice(start, end)
  return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw
}

/** Refuses texts no database keeps. Bytes that are UTF-8 and JSON hold such a character as an escape only. */
const checkEscapes = (json: string): void => {
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = endOfText(json, start + 1)
    const raw = json.slice(start + 1, end)
    if (raw.includes('\\u') && !isStorableText(String(JSON.parse(`"${raw}"`)))) {
      throw new HttpError(400, 'The body has a text with U+0000 or half of a surrogate pair')
    }
    start = json.indexOf('"', end + 1)
  }
}

const addKey = (keys: Set<string>, key: string): void => {
  if (key === '__proto__' || key === 'constructor') throw new HttpError(400, `The body may not have a key "${key}"`)
  if (keys.size === keys.add(key).size) throw new HttpError(400, `The body has the key "${key.slice(0, 100)}" twice`)
}

/**
 * Refuses JSON that parses but means mischief or two things at once: keys given twice in one object, `__proto__` and
 * `constructor`, nesting deeper than `MAX_JSON_DEPTH`, and texts no database keeps (faults.md F91). Throws `HttpError` 400.
 *
 * Linear; `json` must be valid JSON.
 */
export const guardJson = (json: string): void => {
  // Apart from the loop below: asked for inside it, an optimising compiler searches the whole text at every turn.
  if (json.includes('\\u')) checkEscapes(json)
  // One entry per open bracket: the keys seen for an object, null for a list.
  const open: (Set<string> | null)[] = []
  let keys: Set<string> | null = null
  let expectKey = false
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfText(json, at + 1)
        if (expectKey && keys !== null) addKey(keys, keyAt(json, at + 1, end))
        expectKey = false
        at = end
        break
      }
      case COMMA:
        expectKey = keys !== null
        break
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (open.length === MAX_JSON_DEPTH)
          throw new HttpError(400, `The body nests deeper than ${MAX_JSON_DEPTH} levels`)
        expectKey = json.charCodeAt(at) === OPEN_OBJECT
        keys = expectKey ? new Set() : null
        open.push(keys)
        break
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop()
        keys = open[open.length - 1] ?? null
        expectKey = false
        break
    }
  }
}
