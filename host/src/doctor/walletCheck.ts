import { formatAmount } from '@causeway/core'
import type { Diagnosis } from '@causeway/core/chain'
import { findUnexplainedPayments, LASTING_DIFFERENCE_SQL, LASTING_MISSING_SQL } from '@causeway/core/money-path'
import type { Pool } from 'pg'
import type { HostConfig } from '../config/schema/schema.js'

interface WalletRow {
  readonly chain_id: string
  readonly signer: string
  readonly currency: string
  readonly balance: string
  readonly difference: string
  readonly missing: string
  /** Wallets of payout keys that the chain had before; null: it had none. */
  readonly former: string | null
}

const CHECK = 'wallet and books'
const REMEDY =
  'Find the transactions of that address in an explorer, now. If you did not make them, somebody else has the payout key: stop the hosts of role solver and move what is left. What you moved by hand is booked with "causeway inventory topup".'

/**
 * Whether each wallet holds what the books say, as the lanes of the running hosts last saw it (F128): missing money is a fault, gas
 * not booked yet and money that nobody booked are warnings.
 */
export const checkWalletBooks = async (pool: Pool, config: HostConfig): Promise<readonly Diagnosis[]> => {
  const { rows } = await pool.query<WalletRow>(
    `select chain_id::text as chain_id, coalesce(signer, '') as signer, currency, balance::text as balance,
       (${LASTING_DIFFERENCE_SQL})::text as difference, (${LASTING_MISSING_SQL})::text as missing,
       (select string_agg(l.signer, ', ' order by l.signer) from lanes l
         where l.chain_id = i.chain_id and l.kind = 'payout' and l.signer <> coalesce(i.signer, '')) as former
     from inventory i order by i.chain_id, i.currency`,
  )
  const apart = rows.filter(({ difference }) => difference !== '0')
  if (rows.length > 0 && apart.length === 0) {
    const message = `agree in ${rows.length} balances`
    return [{ check: CHECK, subject: 'all chains', state: 'ok', message }]
  }
  const unexplained = new Set<string>()
  for (const id of new Set(apart.map(({ chain_id }) => chain_id))) {
    const { quarantined, transactions, deposits } = await findUnexplainedPayments(pool, Number(id))
    if (quarantined + transactions + deposits > 0) unexplained.add(id)
  }
  return apart.map((row) => {
    const finding = toFinding(row, config)
    return unexplained.has(row.chain_id) ? { ...finding, remedy: CLOSE_FIRST } : finding
  })
}

/** After a change of the payout key, what stayed behind for gas. */
const leftBehind = (former: string): string =>
  `If a wallet of a former payout key (${former}) still holds just that, book it: "causeway inventory correct ... --missing". Otherwise:`

/** A difference while payments of the key belong to no payout: booking it would count them twice. */
const CLOSE_FIRST =
  'Close the paid deposits first: "causeway parked close --all-paid". See "causeway lanes inspect" for what is left, and book a difference only when the lane is open.'

const toFinding = (row: WalletRow, config: HostConfig): Diagnosis => {
  const { chain_id: id, signer, currency, balance, difference } = row
  const chain = config.chains.find((item) => String(item.id) === id)
  const known = chain?.currencies.find(({ address }) => address.toLowerCase() === currency.toLowerCase())
  const money = (amount: bigint): string =>
    known === undefined
      ? `${amount} units of ${currency}`
      : `${formatAmount(amount, known.decimals).replace(/\.0$/, '')} ${known.symbol}`
  const apart = BigInt(difference)
  const found = { check: CHECK, subject: `${chain?.slug ?? `chain ${id}`} ${signer}` }
  const holds = `holds ${money(BigInt(balance))}`
  if (row.missing !== '0') {
    return {
      ...found,
      state: 'fault',
      message: `${holds}: ${money(-apart)} that the books know are missing`,
      remedy: row.former === null ? REMEDY : `${leftBehind(row.former)} ${REMEDY}`,
    }
  }
  return apart < 0n
    ? {
        ...found,
        state: 'warning',
        message: `${holds}: ${money(-apart)} less than the books say, as much as gas that was not booked`,
        remedy:
          'Look whether it grows. "causeway ledger check" shows it exactly, "causeway inventory correct" books it.',
      }
    : {
        ...found,
        state: 'warning',
        message: `${holds}: ${money(apart)} more than the books say`,
        remedy: 'Money that you put in is booked with "causeway inventory topup".',
      }
}
