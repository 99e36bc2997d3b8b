import { larger, smaller } from '@causeway/core'
import type { BalanceQuery, Balances } from '@causeway/core/chain'
import { RpcResponseError } from '@causeway/core/chain-kit'
import { readAmount } from '../address/amounts.js'
import { isNative, parseIssued } from '../address/currencies.js'
import type { AccountState, TrustLine } from '../rpc/accountState.js'
import type { Reserves } from '../rpc/serverInfo.js'
import { type Asked, askAccount, askCaughtUp, askLines } from '../rpc/xrpNode.js'

/** Drops that an account must keep (chains.md xrpvm 5). */
export const reserveOf = ({ owned }: Pick<AccountState, 'owned'>, { base, increment }: Reserves): bigint =>
  base + owned * increment

interface Found {
  readonly amount: bigint | null
  /** The ledger it is of; null where that does not show. */
  readonly height: bigint | null
  readonly account?: AccountState
}

/**
 * Balances in one ledger, and of XRP what must stay on the account. All are asked for side by side; once more, at one height, where a
 * new ledger came in between.
 * @throws ServiceError when the node does not answer, or has not caught up
 */
export const readBalances = async (asked: Asked, queries: readonly BalanceQuery[]): Promise<Balances> => {
  const first = await readAt(asked, queries)
  if (first.heights.every((height) => height === first.height)) return first.balances
  return (await readAt(asked, queries, first.height)).balances
}

const readAt = async (asked: Asked, queries: readonly BalanceQuery[], at?: bigint) => {
  const [{ validated }, found] = await Promise.all([
    askCaughtUp(asked),
    Promise.all(queries.map((query) => readOne(asked, query, at))),
  ])
  const heights = [validated.height, ...found.flatMap(({ height }) => height ?? [])]
  const height = at ?? heights.reduce(larger)
  const reserved = found.map(({ account }) =>
    account === undefined ? 0n : smaller(account.balance, reserveOf(account, validated.reserves)),
  )
  return { heights, height, balances: { amounts: found.map(({ amount }) => amount), reserved, height } }
}

const readOne = async (asked: Asked, { address, currency }: BalanceQuery, at?: bigint): Promise<Found> => {
  if (!isNative(currency)) return readIssued(asked, { address, currency }, at)
  const account = await askAccount(asked, address, at)
  if (account === null) return { amount: 0n, height: null }
  return { amount: account.balance, height: account.height, account }
}

/** Balance of an issued currency; an issuer holds none of its own. */
const readIssued = async (asked: Asked, { address, currency }: BalanceQuery, at?: bigint): Promise<Found> => {
  const issuer = parseIssued(currency)?.issuer
  if (issuer === undefined || issuer === address) return { amount: 0n, height: null }
  try {
    const found = await askLines(asked, { account: address, peer: issuer, height: at })
    if (found === null) return { amount: 0n, height: null }
    const line = lineOf(found.lines, currency)
    return { amount: line === null ? 0n : heldOn(line), height: found.height }
  } catch (error) {
    // One balance that a node cannot tell does not hide the others (faults.md F128).
    if (error instanceof RpcResponseError) return { amount: null, height: null }
    throw error
  }
}

/** The line of a currency, null where there is none. */
export const lineOf = (lines: readonly TrustLine[], currency: string): TrustLine | null =>
  lines.find(({ account, currency: code }) => currencyOf(code, account) === currency) ?? null

const currencyOf = (currency: string, issuer: string) => readAmount({ currency, issuer, value: '0' })?.currency

/** Never below zero: what the account itself owes on the line is no balance. */
const heldOn = ({ account, currency, balance }: TrustLine): bigint | null => {
  const held = readAmount({ currency, issuer: account, value: balance })
  return held && larger(held.amount, 0n)
}
