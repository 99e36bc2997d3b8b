import { findUnbalanced, readLedgerBalances } from '@causeway/core/money-path'
import type { Pool } from 'pg'
import type { Hex } from 'viem'
import { until } from '../harness/until.js'
import { type Currency, receivingFees, type ServedChain } from './servedChain.js'

/** One account of the ledger beside what it must equal. */
export interface BookLine {
  readonly chain: ServedChain
  readonly currency: Currency
  readonly account: 'wallet' | 'depository' | 'owed' | 'parked' | 'addresses' | 'unswept'
  readonly booked: bigint
  /** What the chain says; for promises, and for what lies at deposit addresses: zero. */
  readonly real: bigint
}

export interface Books {
  readonly lines: readonly BookLine[]
  /** In words; empty when books and chains agree. */
  readonly problems: readonly string[]
}

export interface BooksDeps {
  readonly pool: Pool
  readonly chains: readonly ServedChain[]
  /** Addresses the solver pays from, by chain. */
  readonly solvers: ReadonlyMap<number, string>
}

const AGREE_MS = 60_000

/** Compares the ledger with the chains, to the unit: what the solver holds, what the depositories hold, nothing left at an address, and no debt to anyone. */
export const readBooks = async ({ pool, chains, solvers }: BooksDeps): Promise<Books> => {
  const [unbalanced, balances] = await Promise.all([findUnbalanced(pool), readLedgerBalances(pool)])
  const booked = (account: string, chain: ServedChain, { address }: Currency): bigint =>
    balances.find((item) => item.account === account && item.chainId === chain.chainId && item.currency === address)
      ?.balance ?? 0n
  const floats = await readFloats(pool, chains)
  const linesOf = async (chain: ServedChain, currency: Currency): Promise<BookLine[]> => {
    const line = (account: BookLine['account'], real: bigint): BookLine => ({
      chain,
      currency,
      account,
      booked: booked(account, chain, currency),
      real,
    })
    const solver = solvers.get(chain.chainId)
    if (!solver) throw new Error(`No solver address of ${chain.name} is known`)
    const held = await chain.reader.balance(chain.depository, currency.address)
    const received = currency.address === chain.nativeAddress ? await receivingFees(chain, chain.depository) : 0n
    return [
      line('wallet', await chain.reader.balance(solver, currency.address)),
      line('depository', held + received - floats(chain, currency)),
      line('owed', 0n),
      line('parked', 0n),
      line('addresses', 0n),
      line('unswept', 0n),
    ]
  }
  const pairs = chains.flatMap((chain) => chain.currencies.map((currency) => linesOf(chain, currency)))
  const lines = (await Promise.all(pairs)).flat()
  const problems = [
    ...unbalanced.map((id) => `Ledger transaction ${id} does not sum to zero.`),
    ...lines.filter(({ booked, real }) => booked !== real).map(differenceOf),
  ]
  return { lines, problems }
}

/** What is left of the money that lay in depositories before any deposit: some pay their own fees out of it, and no book holds it. */
const readFloats = async (pool: Pool, chains: readonly ServedChain[]) => {
  const { rows } = await pool.query<{ chain_id: string; spent: string }>(
    `select e.chain_id::text, (-sum(e.amount))::text as spent from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
     where t.cause like 'gas:%' and e.account = 'capital'
       -- Sweeps are paid for by the account of deposit addresses.
       and not exists (select from payout_attempts a join payouts p on p.id = a.payout_id
         where p.purpose = 'sweep' and t.cause = 'gas:' || a.chain_id || ':' || a.tx_id)
     group by e.chain_id`,
  )
  const left = new Map(
    chains.map(({ chainId, float }) => {
      const spent = rows.find(({ chain_id }) => chain_id === String(chainId))?.spent ?? '0'
      return [chainId, float - BigInt(spent)]
    }),
  )
  return ({ chainId, nativeAddress }: ServedChain, { address }: Currency): bigint =>
    address === nativeAddress ? (left.get(chainId) ?? 0n) : 0n
}

const differenceOf = ({ chain, currency, account, booked, real }: BookLine): string =>
  `${chain.name} ${currency.symbol} ${account}: the books say ${booked}, it should be ${real}.`

/** The books as soon as they agree; as they are when they do not within a minute. A block may come between two readings. */
export const readSettledBooks = async (deps: BooksDeps): Promise<Books> => {
  let books = await readBooks(deps)
  await until(
    'the books to agree',
    async () => {
      if (books.problems.length > 0) books = await readBooks(deps)
      return books.problems.length === 0 ? true : null
    },
    AGREE_MS,
  ).catch(() => undefined)
  return books
}

/** How far the service has come with some requests, in its own database. */
export interface Progress {
  /** No decision stored yet. */
  readonly undecided: number
  /** A payout is decided or signed, and not known to be in a block. */
  readonly inFlight: number
  readonly paid: number
  /** Something is signed, or further. */
  readonly begun: boolean
}

export const readProgress = async (pool: Pool, requestIds: readonly Hex[]): Promise<Progress> => {
  const { rows } = await pool.query<{ ready: number; signed: number; paid: number }>(
    `select count(*) filter (where state = 'ready')::int as ready,
       count(*) filter (where state = 'signed')::int as signed,
       count(*) filter (where state in ('included', 'final'))::int as paid
     from payouts where purpose = 'fill' and request_id = any($1)`,
    [requestIds.map(bytesOf)],
  )
  const { ready = 0, signed = 0, paid = 0 } = rows[0] ?? {}
  const inFlight = ready + signed
  return { undecided: requestIds.length - inFlight - paid, inFlight, paid, begun: signed + paid > 0 }
}

/** What the service kept of a refunded deposit for the refund's gas, in the smallest unit of the deposit. */
export const readRefundGas = async (pool: Pool, requestId: Hex): Promise<bigint> => {
  const { rows } = await pool.query<{ fees: string }>(
    `select fees::text from payouts where purpose = 'refund' and request_id = $1`,
    [bytesOf(requestId)],
  )
  const [row, ...others] = rows
  if (row === undefined || others.length > 0)
    throw new Error(`Request ${requestId} has ${rows.length} refunds, not one`)
  return BigInt(row.fees)
}

const bytesOf = (id: Hex): Buffer => Buffer.from(id.slice(2), 'hex')
