import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from '@causeway/core'
import { coreMigrations, EnvironmentKeys, moveClock } from '@causeway/core/host'
import {
  changeStatuses,
  deploymentMigrations,
  masterMark,
  type RequestStatus,
  type StatusChange,
  withTransaction,
} from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import apiKeysPlugin from '@causeway/plugin-api-keys'
import webhooksPlugin from '@causeway/plugin-webhooks'
import { type ApiAnswer, textAt } from '../harness/apiCall.js'
import { newApiKey, TEST_MASTER } from '../harness/host/host.js'
import { type Manage, signInOperator } from '../harness/host/management.js'
import { until } from '../harness/until.js'
import { type Authority, createAuthority } from './certificates.js'
import { type Receiver, startReceiver } from './receiver.js'
import { startWebhookHost, type WebhookHost, type WebhookHostOptions } from './webhookHost.js'

export interface TestKey {
  readonly id: string
  readonly apiKey: string
}

/** Endpoints, requests and receivers over one database. */
export interface WebhookWorld {
  readonly database: TestDatabase
  readonly authority: Authority
  /** Options that make a host trust the receivers here. */
  readonly trusting: Readonly<Record<string, unknown>>
  startHost(options?: Partial<WebhookHostOptions>): Promise<WebhookHost>
  startReceiver(options?: Parameters<typeof startReceiver>[1]): Promise<Receiver>
  newKey(): Promise<TestKey>
  /** Calls the management API as an operator. */
  manage(host: WebhookHost, method: string, path: string, body?: unknown): Promise<ApiAnswer>
  /** Gives a key an endpoint; its secret. */
  connect(host: WebhookHost, key: TestKey, url: string, more?: object): Promise<string>
  /** A request of a key, waiting for its deposit. */
  newRequest(key: TestKey | null): Promise<Hex>
  newRequests(key: TestKey | null, count: number): Promise<readonly Hex[]>
  move(requestId: Hex, to: RequestStatus, more?: Partial<StatusChange>): Promise<void>
  /** Moves the time of every host to so much after now, and waits until they know. */
  setClock(offsetMs: number, ...hosts: WebhookHost[]): Promise<void>
  /** How many deliveries wait, and how each of those that are over ended. */
  counts(): Promise<Readonly<Record<'waiting' | 'delivered' | 'parked', number>>>
  close(): Promise<void>
}

const packages = [
  { name: '@causeway/core', migrations: coreMigrations },
  { name: '@causeway/host', migrations: deploymentMigrations },
  { name: apiKeysPlugin.name, migrations: apiKeysPlugin.migrations ?? [] },
  { name: webhooksPlugin.name, migrations: webhooksPlugin.migrations ?? [] },
]

/** Options of the plugin that make a host trust the receivers of an authority. */
export const trustingOptions = ({ ca }: Authority) => {
  const caFile = join(mkdtempSync(join(tmpdir(), 'causeway-webhooks-')), 'ca.pem')
  writeFileSync(caFile, ca)
  return { allowPrivateTargets: true, caFile }
}

const FINAL: readonly RequestStatus[] = ['success', 'failure', 'refund']

export const startWebhookWorld = async (): Promise<WebhookWorld> => {
  const [database, authority] = await Promise.all([createTestDatabase({ packages, poolSize: 8 }), createAuthority()])
  const { pool } = database
  const keys = new EnvironmentKeys(new Map([['master', TEST_MASTER]]))
  await pool.query(`insert into deployment (network, master_mark) values ('testnet', $1)`, [masterMark(keys)])
  const trusting = trustingOptions(authority)
  const receivers: Receiver[] = []
  const hosts: WebhookHost[] = []
  let made = 0
  const operators = new Map<string, Promise<Manage>>()
  const manage: WebhookWorld['manage'] = async ({ url }, method, path, body) => {
    const operator = operators.get(url) ?? signInOperator(url, pool)
    operators.set(url, operator)
    return (await operator)(method, path, body)
  }
  const newRequests: WebhookWorld['newRequests'] = async (key, count) => {
    const after = made
    made += count
    const { rows } = await pool.query<{ id: string }>(
      `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
         recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at, api_key_id)
       select decode(lpad(to_hex($2::int + n), 64, '0'), 'hex'), 'waiting', 8453, 42161, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(),
         now(), 'decide', now(), $1 from generate_series(1, $3::int) n returning encode(id, 'hex') as id`,
      [key?.id ?? null, after, count],
    )
    return rows.map(({ id }): Hex => `0x${id}`)
  }
  return {
    ...{ database, authority, trusting, manage, newRequests },
    startHost: async (options = {}) => {
      const webhooks = { ...trusting, ...options.webhooks }
      const host = await startWebhookHost({ databaseUrl: database.url, ...options, webhooks })
      hosts.push(host)
      return host
    },
    startReceiver: async (options) => {
      const receiver = await startReceiver(await authority.issue(['127.0.0.1']), options)
      receivers.push(receiver)
      return receiver
    },
    newKey: () => newApiKey(pool, 'hooks'),
    connect: async (host, key, url, more = {}) => {
      const answer = await manage(host, 'PUT', `/keys/${key.id}/webhook`, { url, ...more })
      if (answer.status !== 200) throw new Error(answer.text)
      return textAt(answer.body, 'secret')
    },
    newRequest: async (key) => {
      const [id] = await newRequests(key, 1)
      if (id === undefined) throw new Error('No request was made')
      return id
    },
    move: async (requestId, to, more = {}) => {
      const now = Date.now()
      const next = FINAL.includes(to) ? {} : { next: { action: 'decide', at: now } }
      const moved = await withTransaction(pool, (client) =>
        changeStatuses(client, [{ requestId, to, ...next, ...more }], now),
      )
      if (moved.size !== 1) throw new Error(`The request did not move to ${to}`)
    },
    setClock: async (offsetMs, ...on) => {
      await moveClock(pool, offsetMs)
      await until('the hosts to follow the clock', async () =>
        on.every(({ clock }) => Math.abs(clock.now() - Date.now() - offsetMs) < 500) ? true : null,
      )
    },
    counts: async () => {
      const { rows } = await pool.query<Record<'waiting' | 'delivered' | 'parked', number>>(
        `select (select count(*)::int from webhook_queue) as waiting,
          count(*) filter (where outcome = 'delivered')::int as delivered, count(*) filter (where outcome = 'parked')::int as parked
         from webhook_deliveries`,
      )
      return rows[0] ?? { waiting: 0, delivered: 0, parked: 0 }
    },
    close: async () => {
      for (const host of hosts) await host.stop().catch(() => undefined)
      for (const receiver of receivers) await receiver.close()
      await database.drop()
    },
  }
}
