import {
  ActionRefusedError,
  type BalanceStatement,
  type Command,
  readStatement,
  StatementTooLongError,
  statementCsv,
  statementJson,
} from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { readCount } from '../readOptions.js'
import { labelled } from '../text/layout.js'
import { moneyText } from '../text/moneyText.js'
import { movementsText, owedText, walletText } from './balancesText.js'
import { readOwed } from './owedReport.js'
import { readNewest, readWallets } from './walletBalances.js'

const NEWEST_ENTRIES = 40
/** An operator may ask for years. */
const STATEMENT_ENTRIES = 1_000_000
const DAY_MS = 86_400_000

const JSON_OPTION = { flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' }

const readWalletName = (text: string): string => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new ActionRefusedError(`${text} is no EVM address.`)
  return text.toLowerCase()
}

/** `causeway balances [<wallet>]`: who is owed what, and what is held against it. */
export const balancesCommand = (deps: OperatorDeps): Command => ({
  name: 'balances',
  console: 'read',
  description: 'Show what is owed to wallets: free, earned, set aside, on its way; and what is held against it',
  arguments: [{ name: 'wallet', description: 'Only this one, with what moved last', required: false }],
  options: [JSON_OPTION, { flags: '--limit <count>', description: 'Most wallets told', default: '50' }],
  run: async ({ arguments: [wallet], options, print }) => {
    const chainName = (chainId: number) => deps.chains.find(chainId)?.config.slug ?? `chain ${chainId}`
    const limit = readCount(options.limit, '--limit', 10_000)
    if (wallet === undefined) {
      const report = await readOwed(deps, limit)
      if (options.json === true) return print(JSON.stringify(report, null, 2))
      for (const line of owedText(report, chainName)) print(line)
      return
    }
    const name = readWalletName(wallet)
    const now = deps.clock.now()
    const found = (await readWallets(deps, [name], now))[0] ?? { wallet: name, integrators: [], balances: [] }
    const movements = await readNewest(deps, name, NEWEST_ENTRIES)
    if (options.json === true)
      return print(JSON.stringify({ schemaVersion: 1, at: new Date(now).toISOString(), ...found, movements }, null, 2))
    for (const line of [...walletText(found, chainName), ...movementsText(movements)]) print(line)
  },
})

/** A day or a moment in UTC. @throws ActionRefusedError */
const readTime = (value: unknown, name: string): number | null => {
  if (value === undefined) return null
  const at = /^\d{4}-\d{2}-\d{2}(T[0-9:.]+Z)?$/.test(String(value)) ? Date.parse(String(value)) : Number.NaN
  if (Number.isNaN(at))
    throw new ActionRefusedError(`Give ${name} a day or a moment in UTC: 2026-11-01 or 2026-11-01T12:00:00Z.`)
  return at
}

const readPeriod = (options: Readonly<Record<string, unknown>>, now: number): { from: number; to: number } => {
  const to = readTime(options.to, '--to') ?? now + 1
  const from = readTime(options.from, '--from') ?? to - 30 * DAY_MS
  if (from > to) throw new ActionRefusedError('--from is after --to.')
  return { from, to }
}

const statementText = (statement: BalanceStatement, deps: OperatorDeps): string[] => {
  const { accounts, movements, from, to, wallet } = statementJson(statement, deps.currencies)
  const shownMovements = movements.map((movement) => ({
    ...movement,
    changes: movement.changes.map(({ account, delta }) => ({ ...movement, account, amount: delta })),
  }))
  return [
    `STATEMENT of ${wallet}`,
    ...labelled('from', from),
    ...labelled('to', to),
    ...accounts.flatMap((item) =>
      labelled(
        item.account,
        `${moneyText({ ...item, amount: item.opening })} -> ${moneyText({ ...item, amount: item.closing })} on ${deps.chains.find(item.chainId)?.config.slug ?? `chain ${item.chainId}`}`,
      ),
    ),
    ...movementsText(shownMovements),
  ]
}

/** `causeway balances statement <wallet>`: the same statement that an integrator reads over HTTP. */
export const statementCommand = (deps: OperatorDeps): Command => ({
  name: 'balances statement',
  console: 'read',
  description: 'Print all that was posted for a wallet within a time, with what its accounts held before and after',
  arguments: [{ name: 'wallet', description: 'Its address', required: true }],
  options: [
    { flags: '--from <time>', description: 'Day or moment in UTC, in it; default: 30 days before its end' },
    { flags: '--to <time>', description: 'Day or moment in UTC, not in it; default: now' },
    JSON_OPTION,
    { flags: '--csv', description: 'Print CSV' },
  ],
  run: async ({ arguments: [wallet = ''], options, print }) => {
    if (options.json === true && options.csv === true) throw new ActionRefusedError('Give --json or --csv, not both.')
    const period = { wallet: readWalletName(wallet), ...readPeriod(options, deps.clock.now()) }
    const statement = await readStatement(deps.pool, { ...period, entries: STATEMENT_ENTRIES }).catch(
      (error: unknown) => {
        throw error instanceof StatementTooLongError ? new ActionRefusedError(`${error.message}.`) : error
      },
    )
    if (options.csv === true) return print(statementCsv(statement, deps.currencies).trimEnd())
    if (options.json === true)
      return print(JSON.stringify({ schemaVersion: 1, ...statementJson(statement, deps.currencies) }, null, 2))
    for (const line of statementText(statement, deps)) print(line)
  },
})
