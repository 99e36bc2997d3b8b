import { chosen } from './chosen.js'
import { tryOut } from './en/tryOut.js'

/** Words of the page that tries a transfer. */
export const tryTexts = chosen({ en: tryOut })
