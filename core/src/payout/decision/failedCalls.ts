import type { PoolClient } from 'pg'
import type { Simulation } from '../../chain/chainAdapter.js'
import { toBytea } from '../../database/hexBytea.js'
import type { Hex } from '../../money/hex.js'

/** A fill that was refused before it was sent, as the record shows it (wire.md 3.1 failedCallData). */
export type FailedCall = NonNullable<Extract<Simulation, { ok: false }>['call']>

/** A refused call as it is stored; null where there is none. */
export const callText = (call: FailedCall | null | undefined): string | null =>
  call === null || call === undefined ? null : JSON.stringify(call)

/** The calls that were refused, of those decisions that have one. */
export const keepFailedCalls = async (
  client: PoolClient,
  refused: readonly { readonly requestId: Hex; readonly failedCall?: FailedCall | null | undefined }[],
): Promise<void> => {
  const calls = refused.flatMap(({ requestId, failedCall }) => {
    const text = callText(failedCall)
    return text === null ? [] : [{ requestId, text }]
  })
  if (calls.length === 0) return
  await client.query(
    `update request_facts f set failed_call = c.call from unnest($1::bytea[], $2::text[]) as c(id, call) where f.request_id = c.id`,
    [calls.map(({ requestId }) => toBytea(requestId)), calls.map(({ text }) => text)],
  )
}
