import { chosen } from './chosen.js'
import { console } from './en/console.js'

/** Words of the operators’ console. */
export const consoleTexts = chosen({ en: console })
