import { type DatabaseClient, recordAudit } from '@causeway/core/plugin'
import type { DisabledReason } from './endpointStore.js'

/** Why deliveries of a revoked key are parked, and its endpoint is off. */
export const KEY_REVOKED = 'key revoked' satisfies DisabledReason

/** Writes down that the service itself turned endpoints off. `at` is Unix milliseconds. */
export const auditTurnedOff = async (
  client: DatabaseClient,
  {
    apiKeyIds,
    reason,
    at,
  }: { readonly apiKeyIds: readonly string[]; readonly reason: DisabledReason; readonly at: number },
): Promise<void> => {
  for (const id of apiKeyIds) {
    const subject = `api key ${id}`
    await recordAudit(client, { at, actor: 'causeway', action: 'webhooks disable', subject, details: { reason } })
  }
}

/** Turns off the endpoints of revoked keys that are on (wire.md H.4, Key revoked). `now` is Unix milliseconds. */
export const turnOffRevoked = async (client: DatabaseClient, keys: readonly string[], now: number): Promise<void> => {
  if (keys.length === 0) return
  const { rows } = await client.query<{ api_key_id: string }>(
    `update webhook_endpoints set enabled = false, disabled_reason = $2, changed_at = to_timestamp($3 / 1000.0)
     where api_key_id = any($1) and enabled returning api_key_id`,
    [keys, KEY_REVOKED, now],
  )
  await auditTurnedOff(client, { apiKeyIds: rows.map((row) => row.api_key_id), reason: KEY_REVOKED, at: now })
}
