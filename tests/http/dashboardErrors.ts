import { randomUUID } from 'node:crypto'
import { sendRaw } from '@causeway/core/testing'
import { callApi, textAt } from '../harness/apiCall.js'
import { operatorToken } from '../harness/host/host.js'
import type { HttpWorld } from './httpWorld.js'

const API = '/dashboard/api'
const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000'
const IMPORTED = 'imported-key-of-a-partner'

type Headers = Readonly<Record<string, string>>
type Errors = Readonly<Record<string, () => Promise<number>>>

/** The headers of an operator's session in the management API. */
export const operatorSession = async ({ host, database }: HttpWorld): Promise<Headers> => {
  const token = await operatorToken(database.pool)
  const { headers, body } = await callApi(host.url, `${API}/session/operator`, { body: { token } })
  return { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'x-csrf-token': textAt(body, 'csrfToken') }
}

/** 403 by every operation of the management API: a call for an address that is not the deployment's own. */
export const foreignStatus = async ({ host }: HttpWorld, method: string, path: string): Promise<number> => {
  const headers = { host: 'evil.example', origin: 'https://evil.example', 'content-type': 'application/json' }
  const body = ['GET', 'DELETE'].includes(method) ? {} : { body: '{}' }
  return (await sendRaw(`${host.url}${path}`, { method, headers, ...body })).status
}

/** 401: no session; where one is opened, proof of nothing. */
export const strangerStatus = async ({ host }: HttpWorld, method: string, path: string): Promise<number> => {
  const bodies: Readonly<Record<string, object>> = {
    [`${API}/session`]: { message: 'Let me in', signature: '0x' },
    [`${API}/session/operator`]: { token: 'guessed' },
  }
  const body = method === 'GET' ? undefined : (bodies[path] ?? {})
  return (await callApi(host.url, path, { method, ...(body === undefined ? {} : { body }) })).status
}

/** Refusals that one operation of the management API has of its own, each with a call that meets it; `maxKeysPerIntegrator` is 2. */
export const dashboardErrors = ({ host }: HttpWorld, session: () => Headers): Errors => {
  const call = (method: string, path: string, body: object) =>
    callApi(host.url, `${API}${path}`, { method, body, headers: session() })
  const status = async (method: string, path: string, body: object = {}) => (await call(method, path, body)).status
  const made = async (path: string, body: object) => textAt((await call('POST', path, body)).body, 'id')
  const integrator = (name: string) => made('/integrators', { name })
  const twice = async (path: string, body: object): Promise<number> => {
    await status('POST', path, body)
    return status('POST', path, body)
  }
  const missing = `/keys/${UNKNOWN_UUID}/webhook`
  const hook = { url: 'https://hooks.example/' }
  const keyWithHook = async (body: object = hook) => {
    const id = await made('/keys', { integratorId: await integrator(`with a webhook ${randomUUID()}`) })
    await status('PUT', `/keys/${id}/webhook`, body)
    return { id, hook: `/keys/${id}/webhook` }
  }
  const off = { ...hook, enabled: false }
  /** The only delivery of a key's endpoint: a test, which nobody answers. */
  const delivered = async (of: string) => {
    await status('POST', `${of}/test`)
    return textAt((await callApi(host.url, `${API}${of}/deliveries`, { headers: session() })).body, 'deliveries.0.id')
  }
  const get = async (path: string) => (await callApi(host.url, `${API}${path}`, { headers: session() })).status
  const view = { name: 'mine', page: 'requests', query: {} }
  // An operator of the command line has no wallet.
  const money = [
    '/balances',
    '/claims',
    ...['events', 'statement', 'statement/csv', 'spending'].map((part) => `/balances/${part}`),
  ]
  const reads = async (rest: string) =>
    (await callApi(host.url, `/console/api/reads/${rest}`, { headers: session() })).status
  return {
    ...Object.fromEntries(money.map((path) => [`GET ${API}${path} 404`, () => get(path)])),
    [`GET ${API}/keys/{id}/history 404`]: () => get(`/keys/${UNKNOWN_UUID}/history`),
    [`GET ${API}/requests/{id} 404`]: () => get(`/requests/0x${'12'.repeat(32)}`),
    [`PUT ${API}/views/{id} 404`]: () => status('PUT', `/views/${UNKNOWN_UUID}`, view),
    [`DELETE ${API}/views/{id} 404`]: () => status('DELETE', `/views/${UNKNOWN_UUID}`),
    ...Object.fromEntries(
      ['scripts', 'styles', 'fonts', 'extensions'].map((kind) => [
        `GET /dashboard/assets/${kind}/{file} 404`,
        async () => (await callApi(host.url, `/dashboard/assets/${kind}/none`)).status,
      ]),
    ),
    'GET /track/{id}/preview.png 404': async () =>
      (await callApi(host.url, `/track/0x${'12'.repeat(32)}/preview.png`)).status,
    'GET /console/api/reads/{name} 400': () => reads('inventory?options=x'),
    'GET /console/api/reads/{name} 404': () => reads('no-such-command'),
    'GET /console/api/reads/{name} 409': () => reads(`explain?arguments=${encodeURIComponent('["nothing"]')}`),
    'POST /console/api/commands 404': async () =>
      (await callApi(host.url, '/console/api/commands', { body: { name: 'no such' }, headers: session() })).status,
    [`GET ${API}/keys/{id}/webhook 404`]: () => get(missing),
    [`PUT ${API}/keys/{id}/webhook 404`]: () => status('PUT', missing, hook),
    [`PUT ${API}/keys/{id}/webhook 409`]: async () => {
      const { id, hook: path } = await keyWithHook()
      await status('POST', `/keys/${id}/revoke`)
      return status('PUT', path, hook)
    },
    [`DELETE ${API}/keys/{id}/webhook 404`]: () => status('DELETE', missing),
    [`POST ${API}/keys/{id}/webhook/secret 404`]: () => status('POST', `${missing}/secret`),
    [`POST ${API}/keys/{id}/webhook/test 404`]: () => status('POST', `${missing}/test`),
    [`POST ${API}/keys/{id}/webhook/test 409`]: async () => {
      const { id, hook: path } = await keyWithHook()
      await status('POST', `/keys/${id}/revoke`)
      return status('POST', `${path}/test`)
    },
    [`GET ${API}/keys/{id}/webhook/deliveries 404`]: () => get(`${missing}/deliveries`),
    [`GET ${API}/keys/{id}/webhook/deliveries/{delivery} 404`]: async () =>
      get(`${(await keyWithHook()).hook}/deliveries/1234567890123`),
    [`POST ${API}/keys/{id}/webhook/deliveries/{delivery}/replay 404`]: async () =>
      status('POST', `${(await keyWithHook()).hook}/deliveries/1234567890123/replay`),
    [`POST ${API}/keys/{id}/webhook/deliveries/{delivery}/replay 409`]: async () => {
      const { hook: path } = await keyWithHook()
      return status('POST', `${path}/deliveries/${await delivered(path)}/replay`)
    },
    [`POST ${API}/keys/{id}/webhook/replay 404`]: () =>
      status('POST', `${missing}/replay`, { startTimestamp: 0, endTimestamp: 1 }),
    [`POST ${API}/keys/{id}/webhook/replay 409`]: async () =>
      status('POST', `${(await keyWithHook(off)).hook}/replay`, { startTimestamp: 0, endTimestamp: 1 }),
    [`DELETE ${API}/sessions/{id} 404`]: () => status('DELETE', `/sessions/${UNKNOWN_UUID}`),
    [`POST ${API}/keys 404`]: () => status('POST', '/keys', { integratorId: UNKNOWN_UUID }),
    [`POST ${API}/keys 409`]: async () => {
      const integratorId = await integrator('with keys enough')
      await made('/keys', { integratorId })
      return twice('/keys', { integratorId })
    },
    [`POST ${API}/keys/import 404`]: () =>
      status('POST', '/keys/import', { apiKey: IMPORTED, integratorId: UNKNOWN_UUID }),
    [`POST ${API}/keys/import 409`]: async () =>
      twice('/keys/import', { apiKey: IMPORTED, integratorId: await integrator('with an imported key') }),
    [`PATCH ${API}/keys/{id} 404`]: () => status('PATCH', `/keys/${UNKNOWN_UUID}`, { label: 'x' }),
    [`PATCH ${API}/keys/{id} 409`]: async () => {
      const id = await made('/keys', { integratorId: await integrator('with a revoked key') })
      await status('POST', `/keys/${id}/revoke`)
      return status('PATCH', `/keys/${id}`, { elevated: true })
    },
    [`POST ${API}/keys/{id}/revoke 404`]: () => status('POST', `/keys/${UNKNOWN_UUID}/revoke`),
    [`DELETE ${API}/keys/{id} 404`]: () => status('DELETE', `/keys/${UNKNOWN_UUID}`),
    [`POST ${API}/integrators 409`]: () => twice('/integrators', { name: 'twice' }),
    [`DELETE ${API}/wallets/{address} 404`]: () => status('DELETE', `/wallets/0x${'12'.repeat(20)}`),
  }
}
