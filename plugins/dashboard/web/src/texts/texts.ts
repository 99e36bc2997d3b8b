import { chosen } from './chosen.js'
import { shared } from './en/shared.js'

/** Words that every area has. Each area has a catalogue of its own beside this one; a further language is another of the same shape. */
export const texts = chosen({ en: shared })
