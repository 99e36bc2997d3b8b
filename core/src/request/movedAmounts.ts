import type { PoolClient } from 'pg'
import type { Hex } from '../money/hex.js'

/** What the recipient of a request really got, smallest unit of what the quote says it gets. */
export interface ReceivedAmount {
  readonly requestId: Hex
  readonly amount: bigint
}

/** Keeps for the record what really arrived, which may be another amount than was quoted or moved (wire.md 3.1); one statement. */
export const saveReceived = async (client: PoolClient, received: readonly ReceivedAmount[]): Promise<void> => {
  if (received.length === 0) return
  await client.query({
    name: 'received_amounts',
    text: `update request_facts f set actual = a.actual
      from jsonb_to_recordset($1::jsonb) as a(request_id text, actual text) where f.request_id = decode(a.request_id, 'hex')`,
    values: [
      JSON.stringify(
        received.map(({ requestId, amount }) => ({
          request_id: requestId.slice(2),
          actual: JSON.stringify({ amountOut: amount.toString() }),
        })),
      ),
    ],
  })
}
