import { chosen } from './chosen.js'
import { track } from './en/track.js'

/** Words of the page that follows a transfer. */
export const trackTexts = chosen({ en: track })
