import { randomUUID } from 'node:crypto'
import type { Clock } from '@causeway/core'
import {
  type DatabaseClient,
  type DatabasePool,
  recordAudit,
  type SealedValues,
  withTransaction,
} from '@causeway/core/plugin'
import { newWebhookSecret } from '../delivery/deliveryHeaders.js'
import type { CustomHeaders } from './customHeaders.js'

export interface EndpointStoreDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly values: SealedValues
}

/** Where the deliveries of a key go and with what; sealed as a whole, since URLs and headers hold secrets as well. */
export interface EndpointTarget {
  readonly url: string
  readonly headers: CustomHeaders
  /** `whsec_...` */
  readonly secret: string
}

export type DisabledReason = 'failing' | 'key revoked'

export interface Endpoint {
  readonly id: bigint
  readonly apiKeyId: string
  readonly version: number
  readonly enabled: boolean
  readonly disabledReason: DisabledReason | null
  readonly failingSince: Date | null
  readonly createdAt: Date
  readonly changedAt: Date
  readonly target: EndpointTarget
}

interface Row {
  readonly id: bigint
  readonly api_key_id: string
  readonly sealed_id: string
  readonly version: number
  readonly enabled: boolean
  readonly disabled_reason: DisabledReason | null
  readonly failing_since: Date | null
  readonly created_at: Date
  readonly changed_at: Date
}

interface ByActor {
  readonly apiKeyId: string
  readonly actor: string
}

export interface EndpointChange extends ByActor, Pick<EndpointTarget, 'url'> {
  /** Null: the endpoint keeps those it has. */
  readonly headers: CustomHeaders | null
  readonly enabled: boolean
}

/** Endpoints as their owners manage them: one for a key, every change in the audit. */
export class EndpointStore {
  readonly #deps: EndpointStoreDeps

  constructor(deps: EndpointStoreDeps) {
    this.#deps = deps
  }

  async find(apiKeyId: string): Promise<Endpoint | null> {
    const { pool, values } = this.#deps
    const { rows } = await pool.query<Row>('select * from webhook_endpoints where api_key_id = $1', [apiKeyId])
    const [row] = rows
    if (row === undefined) return null
    const target = (await values.get([row.sealed_id])).get(row.sealed_id)
    return target === undefined ? null : endpointOf(row, parseTargetText(target))
  }

  /** Makes the endpoint of a key, or changes it; its secret stays. An enabled one counts as healthy again. */
  async put(change: EndpointChange): Promise<{ readonly endpoint: Endpoint; readonly made: boolean }> {
    const { apiKeyId, url, enabled, actor } = change
    const made = await withTransaction(this.#deps.pool, async (client) => {
      const known = await this.#lock(client, apiKeyId)
      const sealedId = known?.sealed_id ?? randomUUID()
      const before = known === undefined ? undefined : await this.#targetOf(known)
      const secret = before?.secret ?? newWebhookSecret()
      const headers = change.headers ?? before?.headers ?? {}
      await this.#deps.values.put(client, sealedId, JSON.stringify({ url, headers, secret }))
      await client.query(
        `insert into webhook_endpoints as w (api_key_id, sealed_id, enabled, created_at, changed_at) values ($1, $2, $3, $4, $4)
         on conflict (api_key_id) do update set version = w.version + 1, enabled = excluded.enabled, disabled_reason = null,
           failing_since = null, failed_at = null, changed_at = excluded.changed_at`,
        [apiKeyId, sealedId, enabled, this.#now()],
      )
      // The URL may hold a secret: the audit has its host alone.
      await this.#audit(client, actor, known === undefined ? 'webhooks create' : 'webhooks change', apiKeyId, {
        host: new URL(url).host,
        enabled,
        headers: Object.keys(headers),
      })
      return known === undefined
    })
    return { endpoint: await this.#need(apiKeyId), made }
  }

  /** Gives an endpoint another secret. Null where the key has none. */
  async newSecret({ apiKeyId, actor }: ByActor): Promise<Endpoint | null> {
    const changed = await withTransaction(this.#deps.pool, async (client) => {
      const known = await this.#lock(client, apiKeyId)
      if (known === undefined) return false
      const target = await this.#targetOf(known)
      await this.#deps.values.put(client, known.sealed_id, JSON.stringify({ ...target, secret: newWebhookSecret() }))
      await client.query('update webhook_endpoints set version = version + 1, changed_at = $2 where id = $1', [
        known.id,
        this.#now(),
      ])
      await this.#audit(client, actor, 'webhooks new-secret', apiKeyId, {})
      return true
    })
    return changed ? this.find(apiKeyId) : null
  }

  /** Removes the endpoint of a key; what is in its queue is dropped. */
  async remove({ apiKeyId, actor }: ByActor): Promise<boolean> {
    return withTransaction(this.#deps.pool, async (client) => {
      const known = await this.#lock(client, apiKeyId)
      if (known === undefined) return false
      await client.query('delete from webhook_endpoints where id = $1', [known.id])
      await this.#deps.values.remove(client, known.sealed_id)
      await this.#audit(client, actor, 'webhooks delete', apiKeyId, {})
      return true
    })
  }

  async #lock(client: DatabaseClient, apiKeyId: string): Promise<Row | undefined> {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('causeway/webhooks/' || $1, 0))`, [apiKeyId])
    const { rows } = await client.query<Row>('select * from webhook_endpoints where api_key_id = $1 for update', [
      apiKeyId,
    ])
    return rows[0]
  }

  async #targetOf(row: Row): Promise<EndpointTarget> {
    const text = (await this.#deps.values.get([row.sealed_id])).get(row.sealed_id)
    if (text === undefined) throw new Error(`Endpoint ${row.id} has no sealed value.`)
    return parseTargetText(text)
  }

  async #need(apiKeyId: string): Promise<Endpoint> {
    const endpoint = await this.find(apiKeyId)
    if (endpoint === null) throw new Error('The endpoint was removed while it was changed.')
    return endpoint
  }

  async #audit(
    client: DatabaseClient,
    actor: string,
    action: string,
    apiKeyId: string,
    details: Details,
  ): Promise<void> {
    await recordAudit(client, { at: this.#deps.clock.now(), actor, action, subject: `api key ${apiKeyId}`, details })
  }

  #now(): Date {
    return new Date(this.#deps.clock.now())
  }
}

type Details = Parameters<typeof recordAudit>[1]['details']

/** The text that an endpoint's sealed value opens to. */
export const parseTargetText = (text: string): EndpointTarget =>
  // CAST: written by `put` alone.
  JSON.parse(text) as EndpointTarget

const endpointOf = (row: Row, target: EndpointTarget): Endpoint => ({
  id: row.id,
  apiKeyId: row.api_key_id,
  version: row.version,
  enabled: row.enabled,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  createdAt: row.created_at,
  changedAt: row.changed_at,
  target,
})
