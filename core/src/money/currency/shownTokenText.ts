/** Control and format characters (including direction overrides), surrogates, private and undefined ones, line separators. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\u{fffd}]/gu
/** Longest part of an untrusted text that is cleaned, in UTF-16 units. */
const MAX_READ = 1024

/** A symbol or name that an untrusted party chose, as one line of at most `length` visible characters; null if none is left. */
export const shownTokenText = (text: string, length: number): string | null => {
  const line = text.slice(0, MAX_READ).replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()
  const cut = [...line].slice(0, length).join('').trim()
  return cut === '' ? null : cut
}
