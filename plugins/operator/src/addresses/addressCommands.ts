import { ActionRefusedError, type Command } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { chainNames } from '../parked/parkedCommands.js'
import { readCount } from '../readOptions.js'
import { listAddresses, readAddresses, readHistory } from './addressRows.js'
import { addressDetailsText, addressText } from './addressText.js'
import { toAddressDetails, toAddressView } from './addressView.js'
import { chainOf, requireAddresses } from './findAddress.js'

/** Where a list goes on. @throws ActionRefusedError */
const readBefore = (value: unknown): string | null => {
  if (value === undefined) return null
  if (typeof value === 'string' && /^[1-9][0-9]{0,17}$/.test(value)) return value
  throw new ActionRefusedError('Give --before the number of an address, as the list shows it.')
}

/** `causeway deposit-addresses list`. */
export const addressListCommand = (deps: OperatorDeps): Command => ({
  name: 'deposit-addresses list',
  console: 'read',
  description: 'List addresses that quotes gave to be paid to, newest first, with what lies there',
  options: [
    { flags: '--chain <chain>', description: 'Only what is looked at on this chain, by slug or id' },
    { flags: '--unswept', description: 'Only where something lies, by the books or at the last look' },
    { flags: '--limit <count>', description: 'Most addresses listed', default: '50' },
    { flags: '--before <number>', description: 'Go on below the address with this number' },
    { flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' },
  ],
  run: async ({ options, print }) => {
    const limit = readCount(options.limit, '--limit', 1_000)
    const chain = chainOf(deps, options.chain)
    const rows = await listAddresses(deps.pool, {
      chainId: chain?.config.id ?? null,
      unswept: options.unswept === true,
      before: readBefore(options.before),
      limit: limit + 1,
    })
    const views = rows.slice(0, limit).map((row) => toAddressView(deps.currencies, row))
    const more = rows.length > limit
    if (options.json === true) return print(JSON.stringify({ schemaVersion: 1, addresses: views, more }, null, 2))
    if (views.length === 0) return print(options.unswept === true ? 'Nothing is unswept.' : 'No address was given.')
    for (const view of views) for (const line of addressText(view, chainNames(deps), deps.clock.now())) print(line)
    if (more) print(`There is more: --before ${views.at(-1)?.addressId}`)
  },
})

/** `causeway deposit-addresses show <address>`. */
export const addressShowCommand = (deps: OperatorDeps): Command => ({
  name: 'deposit-addresses show',
  console: 'read',
  description: 'Show one address to pay to: its terms, what came, how it was swept, what became of it',
  arguments: [{ name: 'address', description: 'The address, or the id of the request that gave it', required: true }],
  options: [{ flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' }],
  run: async ({ arguments: [text = ''], options, print }) => {
    const ids = (await requireAddresses(deps, text)).map(({ id }) => id)
    const [rows, history] = await Promise.all([readAddresses(deps.pool, ids), readHistory(deps.pool, ids)])
    const now = deps.clock.now()
    const views = rows.map((row) => toAddressDetails(deps.currencies, row, history, now))
    if (options.json === true) return print(JSON.stringify({ schemaVersion: 1, addresses: views }, null, 2))
    for (const view of views) for (const line of addressDetailsText(view, chainNames(deps), now)) print(line)
  },
})
