import { chosen } from './chosen.js'
import { dashboard } from './en/dashboard.js'

/** Words of the integrators’ dashboard. */
export const dashboardTexts = chosen({ en: dashboard })
