import { setTimeout as delay } from 'node:timers/promises'
import type { DepositEvent } from '@causeway/core/chain'
import { ActionRefusedError, type Chain, type Command, type DepositHints, TRUSTED_CALLER } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { counted } from '../text/layout.js'
import { type HeightRange, readRange } from './readRange.js'

/** How long the watcher may take to store the next deposit, and how often that is looked up. */
const PATIENCE_MS = 60_000
const POLL_MS = 1_000
/** Transactions that are named at once. */
const AT_ONCE = 100

export interface RescanDeps extends Pick<OperatorDeps, 'pool' | 'chains' | 'withChain'> {
  readonly hints: DepositHints
  /** Milliseconds; default: a minute. */
  readonly patienceMs?: number
}

/**
 * `causeway deposits rescan --chain <chain> --from <height> --to <height>`: reads a range again and has the chain's watcher take up the
 * deposits that are not stored.
 */
export const rescanCommand = (deps: RescanDeps): Command => ({
  name: 'deposits rescan',
  description: 'Read blocks again that the watcher has passed, and take up deposits that are not stored',
  console: 'action',
  options: [
    { flags: '--chain <chain>', description: 'Slug or id' },
    { flags: '--from <height>', description: 'First block (slot, ledger)' },
    { flags: '--to <height>', description: 'Last block (slot, ledger)' },
  ],
  run: async ({ options, print }) => {
    const chain = findChain(deps, options.chain)
    const range = { from: readHeight(options.from, '--from'), to: readHeight(options.to, '--to') }
    await requirePassed(deps, chain, range)
    await deps.withChain(chain, () => takeUpRange(deps, chain, range, print))
  },
})

/** Reads a range in parts and takes up what is not stored of each before the next is read. @throws ActionRefusedError where no watcher does */
const takeUpRange = async (
  deps: RescanDeps,
  chain: Chain,
  range: HeightRange,
  print: (line: string) => void,
): Promise<void> => {
  const { slug } = chain.config
  let [deposits, taken] = [0, 0]
  for await (const part of readRange(chain, range)) {
    const missing = await notStored(deps, chain, part)
    const left = await takeUp(deps, chain, missing, print)
    if (left.length > 0)
      throw new ActionRefusedError(
        `Not stored after ${(deps.patienceMs ?? PATIENCE_MS) / 1000} seconds: ${idsOf(left).join(', ')}. Check that a host with the role watcher runs and that its log names no trouble with ${slug}, then run this again.`,
      )
    deposits += part.length
    taken += missing.length
  }
  print(
    `Blocks ${range.from} to ${range.to} of ${slug} hold ${counted(deposits, 'deposit')}; ${taken} of them ${taken === 1 ? 'was' : 'were'} not stored.`,
  )
}

const findChain = ({ chains }: RescanDeps, name: unknown): Chain => {
  const found = chains.all().find(({ config }) => config.slug === name || String(config.id) === name)
  if (found !== undefined) return found
  const known = chains.all().map(({ config }) => config.slug)
  throw new ActionRefusedError(`Give --chain one of: ${known.join(', ')}.`)
}

const readHeight = (value: unknown, name: string): bigint => {
  if (typeof value === 'string' && /^[0-9]{1,18}$/.test(value)) return BigInt(value)
  throw new ActionRefusedError(`Give ${name} a height of the chain, a whole number.`)
}

/** Later blocks are read by the watcher in its own time. */
const requirePassed = async ({ pool }: RescanDeps, { config }: Chain, { from, to }: HeightRange): Promise<void> => {
  if (from > to) throw new ActionRefusedError('--from is above --to.')
  const { rows } = await pool.query<{ height: string }>(
    'select height::text as height from chain_cursors where chain_id = $1',
    [config.id],
  )
  const height = BigInt(rows[0]?.height ?? 0)
  if (to > height)
    throw new ActionRefusedError(`The watcher of ${config.slug} has come to ${height}. Give --to at most that height.`)
}

const notStored = async (
  { pool }: RescanDeps,
  { config }: Chain,
  deposits: readonly DepositEvent[],
): Promise<readonly DepositEvent[]> => {
  const { rows } = await pool.query<{ id: string; position: number }>({
    name: 'deposits_of_range',
    text: `select tx_id as id, position from deposits where chain_id = $1 and tx_id = any($2::text[]) and state = 'included'`,
    values: [config.id, idsOf(deposits)],
  })
  const stored = new Set(rows.map(({ id, position }) => `${id}:${position}`))
  return deposits.filter(({ tx, position }) => !stored.has(`${tx.id}:${position}`))
}

/** Names the transactions to the watcher until their deposits are stored; returns those that are not within the time. */
const takeUp = async (
  deps: RescanDeps,
  chain: Chain,
  missing: readonly DepositEvent[],
  print: (line: string) => void,
): Promise<readonly DepositEvent[]> => {
  let left = missing
  for (let waited = 0; left.length > 0 && waited < (deps.patienceMs ?? PATIENCE_MS); waited += POLL_MS) {
    for (const id of idsOf(left).slice(0, AT_ONCE)) deps.hints.hint(chain.config.id, id, TRUSTED_CALLER)
    await delay(POLL_MS)
    const still = await notStored(deps, chain, left)
    for (const { tx, money, orderId } of left.filter((deposit) => !still.includes(deposit)))
      print(
        `Stored: ${tx.id}, ${money.amount} of ${money.currency}, ${orderId === null ? 'no order id' : `order ${orderId}`}`,
      )
    if (still.length < left.length) waited = 0
    left = still
  }
  return left
}

const idsOf = (deposits: readonly DepositEvent[]): readonly string[] => [...new Set(deposits.map(({ tx }) => tx.id))]
