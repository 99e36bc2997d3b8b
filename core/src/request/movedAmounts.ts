import type { PoolClient } from 'pg'
import type { Hex } from '../money/hex.js'

/** Amounts that a request really moved, smallest unit; each is absent where it is as quoted, or as its payment says. */
export interface MovedAmounts {
  readonly requestId: Hex
  /** What the user's own transaction took, in the deposited currency. */
  readonly amountIn?: bigint
  /** What the recipient got of what the quote says it gets. */
  readonly amountOut?: bigint
  /** What arrived of the refund. */
  readonly refunded?: bigint
}

/** Keeps for the record what really moved, which may be other amounts than were quoted or paid (wire.md 3.1); one statement. */
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
