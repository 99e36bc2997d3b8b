import { addresses } from './console/addresses.js'
import { chains } from './console/chains.js'
import { explain } from './console/explain.js'
import { inventory } from './console/inventory.js'
import { lanes } from './console/lanes.js'
import { balances, books } from './console/money.js'
import { now, steps } from './console/now.js'
import { parked } from './console/parked.js'
import { action, parts } from './console/parts.js'
import { audit, configuration, health, push } from './console/service.js'

/** Words of the operators' console. */
export const console = {
  groups: { watch: 'Watch', money: 'Money', service: 'Service' },
  parts,
  action,
  now,
  steps,
  chains,
  inventory,
  lanes,
  parked,
  explain,
  addresses,
  books,
  balances,
  push,
  health,
  configuration,
  audit,
}
