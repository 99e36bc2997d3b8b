import { console } from './console.js'
import { dashboard } from './dashboard.js'
import { shared } from './shared.js'
import { track } from './track.js'
import { tryOut } from './tryOut.js'

export const en = { ...shared, dashboard, console, track, tryOut }
