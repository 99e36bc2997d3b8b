import type { PoolClient } from 'pg'
import type { Hex } from '../money/hex.js'

/** Amounts that a request moved on the chain, smallest unit. An absent amount is the one of the quote or of the payment. */
export interface MovedAmounts {
  readonly requestId: Hex
  /** Taken by the user's own transaction, in the deposited currency. */
  readonly amountIn?: bigint
  /** Received by the recipient, in the quoted output currency. */
  readonly amountOut?: bigint
  /** Received from the refund. */
  readonly refunded?: bigint
}

/** Stores the moved amounts for the record, in one statement (wire.md 3.1). */
export const saveMoved = async (client: PoolClient, moved: readonly MovedAmounts[]): Promise<void> => {
  if (moved.length === 0) return
  const text = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  await client.query({
    name: 'moved_amounts',
    text: `update request_facts f set actual = a.actual
      from jsonb_to_recordset($1::jsonb) as a(request_id text, actual text) where f.request_id = decode(a.request_id, 'hex')`,
    values: [
      JSON.stringify(
        moved.map(({ requestId, ...amounts }) => ({
          request_id: requestId.slice(2),
          actual: JSON.stringify(amounts, text),
        })),
      ),
    ],
  })
}
