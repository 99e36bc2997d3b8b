import { formatAmount } from '@causeway/core'
import type { Diagnosis } from '@causeway/core/chain'
import type { Pool } from 'pg'
import type { HostConfig } from '../config/schema/schema.js'

const CHECK = 'balances'

/** `held`: what the lane of the chain last saw in its wallet. */
interface OwedRow {
  readonly chain_id: string
  readonly currency: string
  readonly owed: string
  readonly held: string | null
}

const OWED = `select b.chain_id::text as chain_id, b.currency, b.owed::text as owed, i.balance::text as held
  from (select chain_id, currency, sum(amount) as owed from app_balances where account <> 'exposure' group by 1, 2 having sum(amount) > 0) b
  left join inventory i using (chain_id, currency) order by b.chain_id, b.currency`

type Configured = Pick<HostConfig, 'balances' | 'chains'>

/**
 * In which currency balances are kept, and whether the solver holds what it owes to wallets (wire.md 4.12), as its lanes
 * last saw it. That the currency has a price is looked at with those of all others.
 */
export const checkBalances = async (pool: Pool, config: Configured): Promise<readonly Diagnosis[]> => {
  const { rows } = await pool.query<OwedRow>(OWED)
  return [...checkConfigured(config), ...rows.map((row) => checkHeld(row, config))]
}

const checkConfigured = ({ balances, chains }: Configured): readonly Diagnosis[] => {
  if (balances !== undefined) {
    const chain = chains.find(({ id }) => id === balances.chainId)
    const currency = chain?.currencies.find(({ address }) => isSame(address, balances.currency))
    const message = `are kept in ${currency?.symbol ?? balances.currency} of ${chain?.slug ?? `chain ${balances.chainId}`}`
    return [{ check: CHECK, subject: 'configuration', state: 'ok', message }]
  }
  const message = 'are not kept: no app fees, sponsors and fast fills'
  return [{ check: CHECK, subject: 'configuration', state: 'ok', message }]
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

const checkHeld = (row: OwedRow, { chains }: Configured): Diagnosis => {
  const chain = chains.find(({ id }) => String(id) === row.chain_id)
  const currency = chain?.currencies.find(({ address }) => isSame(address, row.currency))
  const money = (amount: bigint): string =>
    currency === undefined
      ? `${amount} units of ${row.currency}`
      : `${formatAmount(amount, currency.decimals).replace(/\.0$/, '')} ${currency.symbol}`
  const found = { check: CHECK, subject: chain?.slug ?? `chain ${row.chain_id}` }
  const owed = BigInt(row.owed)
  if (row.held === null || currency === undefined)
    return {
      ...found,
      state: 'fault',
      message: `wallets are owed ${money(owed)}, and nothing is known of what is held of it`,
      remedy: 'Configure the currency, so that claims can be paid, and run a host of role solver for its chain.',
    }
  const held = BigInt(row.held)
  return held < owed
    ? {
        ...found,
        state: 'warning',
        message: `wallets are owed ${money(owed)}, and the solver holds ${money(held)}: claims beyond it wait`,
        remedy:
          'Send what is missing and book it with "causeway inventory topup"; "causeway balances" says who is owed it.',
      }
    : { ...found, state: 'ok', message: `wallets are owed ${money(owed)}, and more is held` }
}
