import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { NATIVE, userOf } from '../harness/localNetwork.js'
import { executeQuote, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, leakIn, nativeBody, postQuote, startHttpWorld } from '../http/httpWorld.js'
import { readExposition, type Series, valueIn } from './exposition.js'
import { parsePromql } from './promql.js'

const OPERATIONS = new URL('../../host/operations/', import.meta.url)
const rules: unknown = parse(readFileSync(new URL('alerts.yml', OPERATIONS), 'utf8'))
const dashboard: unknown = JSON.parse(readFileSync(new URL('dashboard.json', OPERATIONS), 'utf8'))
const alerts = listAt(rules, 'groups').flatMap((group) => listAt(group, 'rules'))
const panels = listAt(dashboard, 'panels')

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world?.close())

const scrape = async (): Promise<readonly Series[]> => {
  const { status, text } = await callApi(world.host.url, '/metrics')
  expect(status).toBe(200)
  return readExposition(text)
}

/** Scrapes until a series is at least so high: what the sources said is kept for three seconds. */
const reached = (name: string, labels: Readonly<Record<string, string>>, least: number) =>
  until(`${name} to be ${least}`, async () => {
    const series = await scrape()
    return (valueIn(series, name, labels) ?? -1) >= least ? series : null
  })

/** Scrapes until all that was owed is paid: withdrawals follow a transfer. */
const allPaid = () =>
  until('every lane to be done', async () => {
    const series = await scrape()
    const waiting = world.network.chains.some(
      ({ slug }) => valueIn(series, 'causeway_lane_oldest_unpaid_seconds', { chain: slug }) !== 0,
    )
    return waiting ? null : series
  })

const transfer = async (): Promise<string> => {
  const answer = await postQuote(world, nativeBody(world))
  expect(answer.status).toBe(200)
  // CAST: the tests of the quote's shape check it.
  const quote = answer.body as QuoteAnswer
  await executeQuote(world.network.chains[0].chain, userOf(world.network, 0), quote)
  return quote.requestId
}

describe('metrics of a deployment', () => {
  it('count a transfer at each step, by chain and result, and time it', async () => {
    const requestId = await transfer()
    const [origin, destination] = world.network.chains.map(({ slug }) => slug)
    const fill = { chain: String(destination), purpose: 'fill' }
    const series = await reached('causeway_payouts_total', { ...fill, result: 'final' }, 1)
    expect(valueIn(series, 'causeway_deposits_total', { chain: String(origin), result: 'fillable' })).toBe(1)
    expect(valueIn(series, 'causeway_decisions_total', { chain: String(destination), result: 'fill' })).toBe(1)
    const counted = (result: string) => valueIn(series, 'causeway_payouts_total', { ...fill, result })
    // A lane that opens anew signs again what it had not stored, and sends again what is in no block yet.
    for (const result of ['signed', 'broadcast']) expect(counted(result)).toBeGreaterThanOrEqual(1)
    for (const result of ['included', 'final']) expect([result, counted(result)]).toEqual([result, 1])
    expect(valueIn(series, 'causeway_payouts_total', { ...fill, result: 'reorged' })).toBe(0)
    expect(valueIn(series, 'causeway_deposit_to_fill_seconds_count', { chain: String(destination) })).toBe(1)
    const seconds = valueIn(series, 'causeway_deposit_to_fill_seconds_sum', { chain: String(destination) })
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(30)
    expect(valueIn(series, 'causeway_quotes_total', { kind: 'bridge', code: 'OK' })).toBe(1)
    expect(valueIn(series, 'causeway_quote_seconds_count', { kind: 'bridge' })).toBe(1)
    const { text } = await callApi(world.host.url, '/metrics')
    expect(text).not.toContain(requestId)
    expect(leakIn(world, text)).toBeNull()
  })

  it('show chains, lanes, inventory, leases and connections as they are', async () => {
    await reached('causeway_chain_head_height', { chain: 'harbor' }, 1)
    await reached('causeway_chain_head_height', { chain: 'lagoon' }, 1)
    await reached('causeway_watcher_page_age_seconds', { chain: 'lagoon' }, 0)
    const series = await allPaid()
    for (const item of world.network.chains) {
      const labels = { chain: item.slug }
      expect(valueIn(series, 'causeway_chain_head_age_seconds', labels)).toBeLessThan(30)
      expect(valueIn(series, 'causeway_watcher_lag_blocks', labels)).toBeLessThan(20)
      expect(valueIn(series, 'causeway_lane_quarantined', labels)).toBe(0)
      expect(valueIn(series, 'causeway_ledger_imbalance', { ...labels, currency: 'ETH' })).toBe(0)
      const balance = Number(await balanceOnChain(item, world.network.roles.solver.address, NATIVE)) / 1e18
      expect(valueIn(series, 'causeway_inventory_balance', { ...labels, currency: 'ETH' })).toBeCloseTo(balance, 0)
      expect(valueIn(series, 'causeway_inventory_available', { ...labels, currency: 'ETH' })).toBeCloseTo(balance, 0)
    }
    expect(valueIn(series, 'causeway_leases_held', { kind: 'watch' })).toBe(2)
    expect(valueIn(series, 'causeway_leases_held', { kind: 'lane' })).toBe(2)
    expect(valueIn(series, 'causeway_database_connections_limit')).toBe(4)
    expect(valueIn(series, 'causeway_metric_source_up', { source: 'database' })).toBe(1)
  })

  it('have labels from the configuration and fixed lists alone, whatever callers send', async () => {
    await hostileCalls('earlyword')
    // The runtime's own series come as it works, and a status is one of few numbers; neither is from a caller.
    const names = (series: readonly Series[]) =>
      series
        .filter(({ name }) => name.startsWith('causeway_'))
        .map(({ name, labels: { status = '200', ...labels } }) => {
          expect(status).toMatch(/^[1-5]\d\d$/)
          return `${name}${JSON.stringify(labels)}`
        })
    const before = new Set(names(await scrape()))
    await hostileCalls('lateword')
    const after = names(await scrape())
    expect(after.filter((name) => !before.has(name))).toEqual([])
    expect(after.filter((name) => /earlyword|lateword|forged|zz/.test(name))).toEqual([])
  })
})

const hostileCalls = async (word: string): Promise<void> => {
  const { url } = world.host
  const hostile = [
    word,
    `"} 1\nforged_${word} 1`,
    `0x${'zz'.repeat(20)}`,
    '__proto__',
    { word },
    [word],
    null,
    1e300,
    -1,
  ]
  const fields = ['originChainId', 'destinationChainId', 'originCurrency', 'tradeType', 'referrer']
  for (const [at, value] of hostile.entries()) {
    await postQuote(world, nativeBody(world, { [fields[at % fields.length] ?? '']: value }))
    const text = encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))
    await callApi(url, `/${text}`)
    await callApi(url, `/chains/health?chainId=${text}`)
    await callApi(url, '/chains', { headers: { 'x-api-key': text } })
  }
  for (const method of ['PROPFIND', 'M-SEARCH', 'PATCH']) await callApi(url, '/quote', { method })
}

describe('host/operations', () => {
  it('every alert says what it is, what to do first and how urgent it is', () => {
    const names = alerts.map((alert) => textAt(alert, 'alert'))
    expect(new Set(names).size).toBe(names.length)
    for (const alert of alerts) {
      expect(textAt(alert, 'alert')).toMatch(/^Causeway[A-Z][A-Za-z]+$/)
      expect(['page', 'ticket']).toContain(textAt(alert, 'labels.severity'))
      expect(textAt(alert, 'annotations.summary').length).toBeGreaterThan(15)
      expect(textAt(alert, 'annotations.action').length).toBeGreaterThan(30)
      expect(textAt(alert, 'annotations.runbook')).toBe(`core/docs/runbooks/${textAt(alert, 'alert')}.md`)
      const period = valueAt(alert, 'for')
      if (period !== undefined) expect(period).toMatch(/^\d+[smh]$/)
    }
  })

  it('the templates of alerts and legends name labels that their expressions keep', () => {
    const kept = (text: string) => new Set(parsePromql(text).groupings.flatMap(({ labels }) => labels))
    for (const alert of alerts) {
      const used = [...JSON.stringify(valueAt(alert, 'annotations')).matchAll(/\$labels\.(\w+)/g)].map(
        ([, name]) => name,
      )
      const labels = kept(textAt(alert, 'expr'))
      expect([textAt(alert, 'alert'), used.filter((name) => !labels.has(String(name)))]).toEqual([
        textAt(alert, 'alert'),
        [],
      ])
    }
    for (const target of panels.flatMap((panel) => listAt(panel, 'targets'))) {
      const used = [...textAt(target, 'legendFormat').matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
      const labels = kept(textAt(target, 'expr'))
      expect(used.filter((name) => !labels.has(String(name)))).toEqual([])
    }
  })

  it('panels have their own places', () => {
    const places = panels.map((panel) => `${valueAt(panel, 'gridPos.x')}:${valueAt(panel, 'gridPos.y')}`)
    expect(new Set(places).size).toBe(panels.length)
    expect(new Set(panels.map((panel) => valueAt(panel, 'id'))).size).toBe(panels.length)
  })
})

describe('what is no PromQL is noticed', () => {
  it.each(['sum(', 'rate(x)', 'sum by (chain (x)', 'x{chain=harbor}', 'x > > 1', 'unknown_function(x)', 'x[5m', 'x y'])(
    '%s',
    (text) => {
      expect(() => parsePromql(text)).toThrow()
    },
  )
})
