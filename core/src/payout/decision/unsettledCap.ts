import type { PoolClient } from 'pg'
import type { Usd } from '../../money/usd.js'
import type { Decision } from './decisions.js'

/** Most worth of a chain's deposits that may be paid for before they are settled. */
export interface UnsettledCap {
  readonly chainId: number
  readonly usd: Usd
  /** Blocks after which its deposits are settled. */
  readonly settle: number
  /** What an amount of one of its currencies is worth; null: nobody can price it, and it fits under no cap. */
  worth(currency: string, amount: bigint): Usd | null
}

/** How long a loss counts: a chain that loses deposits is trusted with less for a day. */
const LOSS_MS = 86_400_000
/** A deposit that waits for others to settle is looked at again after this. */
const WAIT_MS = 1_000

/** Whether money of a chain's deposits that is lent before they come fits under its cap; as `capUnsettled`, for a fast fill. */
export const fitsUnsettledCap = async (
  client: PoolClient,
  cap: UnsettledCap,
  { currency, amount }: { readonly currency: string; readonly amount: bigint },
  now: number,
): Promise<boolean> => {
  const worth = cap.worth(currency, amount)
  return worth !== null && usedOf(cap, await readSums(client, cap, now)) + worth <= cap.usd
}

const readSums = async (client: PoolClient, cap: UnsettledCap, now: number): Promise<readonly SumRow[]> => {
  const { rows } = await client.query<SumRow>({
    name: 'unsettled_payments',
    text: 'select tip::text as tip, currency, amount::text as amount from unsettled_payments($1, $2, to_timestamp($3 / 1000.0))',
    values: [cap.chainId, cap.settle, now - LOSS_MS],
  })
  return rows
}

const usedOf = (cap: UnsettledCap, rows: readonly SumRow[]): Usd =>
  rows.reduce<Usd>((sum, { currency, amount }) => {
    if (currency === null || amount === null) return sum
    return sum + (cap.worth(currency, BigInt(amount)) ?? cap.usd)
  }, 0n)

interface SumRow {
  tip: string
  currency: string | null
  amount: string | null
}

/**
 * Puts off the fills and refunds that would pass their origin chain's cap, until deposits settle or the deposit is settled itself
 * (faults.md F22). To be called in the transaction that writes the decisions, before them: of two hosts that decide for one chain
 * the second waits and sees what the first decided. One statement for each chain with a cap.
 */
export const capUnsettled = async (
  client: PoolClient,
  decisions: readonly Decision[],
  caps: readonly UnsettledCap[],
  now: number,
): Promise<readonly Decision[]> => {
  let capped = decisions
  // In one order, so that two lanes cannot wait for each other.
  for (const cap of caps.toSorted((left, right) => left.chainId - right.chainId)) {
    if (!capped.some((decision) => isUnder(decision, cap))) continue
    capped = admit(capped, cap, await readSums(client, cap, now), now)
  }
  return capped
}

const isUnder = ({ kind, open }: Decision, { chainId }: UnsettledCap): boolean =>
  (kind === 'fill' || kind === 'refund') && open.deposit.chainId === chainId

const admit = (
  decisions: readonly Decision[],
  cap: UnsettledCap,
  rows: readonly SumRow[],
  now: number,
): readonly Decision[] => {
  const settled = BigInt(rows[0]?.tip ?? '0') - BigInt(cap.settle)
  let used = usedOf(cap, rows)
  return decisions.map((decision) => {
    const { open } = decision
    if (!isUnder(decision, cap) || open.deposit.height <= settled) return decision
    const worth = cap.worth(open.deposit.currency, open.deposit.amount)
    if (worth === null || used + worth > cap.usd) {
      return { kind: 'later', open, at: now + WAIT_MS, trouble: null, action: 'await-settle' }
    }
    used += worth
    return decision
  })
}
