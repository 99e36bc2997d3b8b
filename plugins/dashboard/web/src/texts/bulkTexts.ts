import { chosen } from './chosen.js'
import { bulk } from './en/bulk.js'

/** Words of actions for several rows. */
export const bulkTexts = chosen({ en: bulk })
