import { findParkedDeposit, listParkedDeposits, type ParkedDeposit } from '@causeway/core/money-path'
import { ActionRefusedError, type Command } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { readCount } from '../readOptions.js'
import { parkedText, toView } from './parkedText.js'

/** A deposit by its number, as `2` or as `deposit:2`: commands print both. @throws ActionRefusedError */
export const requireDeposit = async ({ pool }: OperatorDeps, text: string): Promise<ParkedDeposit> => {
  const [, number] = /^(?:deposit:)?([1-9][0-9]{0,17})$/.exec(text) ?? []
  if (number === undefined)
    throw new ActionRefusedError('Give the number of a deposit, as parked list shows it: 2, or deposit:2.')
  const deposit = await findParkedDeposit(pool, number)
  if (deposit === null) throw new ActionRefusedError(`There is no deposit ${number}.`)
  return deposit
}

export const chainNames =
  ({ chains }: OperatorDeps) =>
  (id: number): string =>
    chains.find(id)?.config.slug ?? `chain ${id}`

/** `causeway parked list`. */
export const parkedListCommand = (deps: OperatorDeps): Command => ({
  name: 'parked list',
  console: 'read',
  description: 'List deposits of which money waits for an operator, newest first',
  options: [
    { flags: '--chain <chain>', description: 'Only this chain, by slug or id' },
    { flags: '--limit <count>', description: 'Most deposits listed', default: '50' },
    { flags: '--json', description: 'Print JSON' },
  ],
  run: async ({ options, print }) => {
    const limit = readCount(options.limit, '--limit', 1_000)
    const chain = deps.chains
      .all()
      .find(({ config }) => config.slug === options.chain || String(config.id) === options.chain)
    if (options.chain !== undefined && chain === undefined)
      throw new ActionRefusedError(`There is no chain ${String(options.chain)}.`)
    const found = await listParkedDeposits(deps.pool, { chainId: chain?.config.id ?? null, limit: limit + 1 })
    const views = found.slice(0, limit).map((deposit) => toView(deps.currencies, deposit))
    const more = found.length > limit
    if (options.json === true) return print(JSON.stringify({ schemaVersion: 1, deposits: views, more }, null, 2))
    if (views.length === 0) return print('Nothing is parked.')
    for (const view of views) for (const line of parkedText(view, chainNames(deps))) print(line)
    if (more) print('There is more: raise --limit.')
  },
})

/** `causeway parked show <deposit>`. */
export const parkedShowCommand = (deps: OperatorDeps): Command => ({
  name: 'parked show',
  console: 'read',
  description: 'Show one deposit; causeway explain deposit:<number> has its whole timeline',
  arguments: [{ name: 'deposit', description: 'Its number', required: true }],
  options: [{ flags: '--json', description: 'Print JSON' }],
  run: async ({ arguments: [id = ''], options, print }) => {
    const view = toView(deps.currencies, await requireDeposit(deps, id))
    if (options.json === true) return print(JSON.stringify({ schemaVersion: 1, deposit: view }, null, 2))
    for (const line of parkedText(view, chainNames(deps))) print(line)
  },
})
