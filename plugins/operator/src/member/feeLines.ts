import type { Hex } from '@causeway/core'
import { buildRecord, loadRecordFacts } from '@causeway/core/plugin'
import type { ExplainDeps } from '../explain/explain.js'

/** One fee of a request, as it was quoted and as it came to be. */
export interface FeeLine {
  /** `execution`, `swap`, `platform`, `app` or `sponsored`. */
  readonly name: string
  readonly chainId: number
  readonly currency: string
  readonly symbol: string
  readonly decimals: number
  /** Smallest unit. */
  readonly amount: string
  readonly quotedUsd: string
  /** Null until money came out at the other end, or back. */
  readonly actualUsd: string | null
}

/** Who gets app fees, and how much. */
export interface AppFeeLine {
  readonly recipient: string
  readonly bps: string
  readonly amount: string
  readonly amountUsd: string | null
}

export interface RequestFees {
  readonly lines: readonly FeeLine[]
  readonly appFees: readonly AppFeeLine[]
}

/** The fees of a request line by line, by its record (wire.md 3.1); null: there is no record. */
export const readFees = async (
  { pool, currencies, chains }: ExplainDeps,
  { id, unpaid }: { readonly id: Hex; readonly unpaid: boolean },
): Promise<RequestFees | null> => {
  const facts = (await loadRecordFacts(pool, [{ id, unpaid }])).get(id)
  if (facts === undefined) return null
  // The partner's name stands in another part of the record.
  const { fees, appFees } = buildRecord(facts, { currencies, chains, partnerKey: 'partner' }).data
  const { chainId, address: currency, symbol, decimals } = fees.currency
  return {
    lines: Object.entries(fees.quoted).map(([name, { amount, usd }]) => ({
      ...{ name, chainId, currency, symbol, decimals, amount },
      quotedUsd: usd,
      actualUsd: Object.entries(fees.actual ?? {}).find(([part]) => part === name)?.[1].usd ?? null,
    })),
    appFees: (appFees.actual.length > 0 ? appFees.actual : appFees.quoted).map((fee) => ({
      recipient: fee.recipient,
      bps: fee.bps,
      amount: fee.amount,
      amountUsd: 'amountUsd' in fee && typeof fee.amountUsd === 'string' ? fee.amountUsd : null,
    })),
  }
}
