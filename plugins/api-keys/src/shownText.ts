import { StoreRefusal } from './storeRefusal.js'

const MAX_CHARACTERS = 100
/** Characters nobody sees: controls, marks of direction, halves of pairs, unassigned ones, separators of lines. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u

const visible = (text: string, what: string): string => {
  const trimmed = text.trim()
  if (UNSEEN.test(trimmed) || [...trimmed].length > MAX_CHARACTERS) {
    throw new StoreRefusal('invalid', `${what} must have at most ${MAX_CHARACTERS} characters, all of them visible.`)
  }
  return trimmed
}

/** A label as it is stored: at most 100 visible characters; null for none. @throws StoreRefusal `invalid` */
export const labelText = (label: string | null): string | null => {
  const text = visible(label ?? '', 'The label')
  return text === '' ? null : text
}

/** The name of an integrator: 1 to 100 visible characters. @throws StoreRefusal `invalid` */
export const integratorName = (name: string): string => {
  const text = visible(name, 'The name')
  if (text === '') throw new StoreRefusal('invalid', 'An integrator needs a name.')
  return text
}
