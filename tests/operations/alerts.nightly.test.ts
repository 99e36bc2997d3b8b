import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testTokenAbi } from '@causeway/contracts-abi'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { callApi, listAt, textAt } from '../harness/apiCall.js'
import { waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { startTestHost, type TestHost } from '../harness/host/host.js'
import { ether, userOf } from '../harness/localNetwork.js'
import { startTcpProxy, type TcpProxy } from '../harness/tcpProxy.js'
import { executeQuote, freshAddress, type QuoteAnswer, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from '../http/httpWorld.js'
import { readExposition, type Series } from './exposition.js'
import { type Expression, parsePromql } from './promql.js'
import { HEALTHY, RULE_CASES } from './ruleCases.js'
import { findProgram, type Prometheus, type Server, startPrometheus, startRedis } from './servers.js'

const OPERATIONS = new URL('../../host/operations/', import.meta.url)
const rulesText = readFileSync(new URL('alerts.yml', OPERATIONS), 'utf8')
const dashboard: unknown = JSON.parse(readFileSync(new URL('dashboard.json', OPERATIONS), 'utf8'))
const targets = listAt(dashboard, 'panels').flatMap((panel) => listAt(panel, 'targets'))
const alerts = listAt(parse(rulesText), 'groups').flatMap((group) => listAt(group, 'rules'))

/** Nobody waits minutes here; the times of the file itself are tried by promtool. */
const SHORTENED = [
  [/for: \d+[smh]/g, 'for: 2s'],
  // A head counts as stale, and a job as failing, sooner.
  ['> on (chain) 600 + 12 *', '> on (chain) 10 + 12 *'],
  ['increase(causeway_job_restarts_total[10m])) > 5', 'increase(causeway_job_restarts_total[10m])) > 1'],
] as const

const shortened = (): string =>
  SHORTENED.reduce((text, [from, to]) => {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`The rules have no ${String(from)}`)
    return changed
  }, rulesText)

/** The series of a job appears when it fails first. */
const JOB_RESTARTS = 'causeway_job_restarts_total task'

/** `RULE_CASES` as promtool reads them: what fires is what `ALERTS` holds. */
const promtoolCases = () => ({
  rule_files: [fileURLToPath(new URL('alerts.yml', OPERATIONS))],
  evaluation_interval: '15s',
  tests: RULE_CASES.map(({ name, series, fires }) => ({
    name,
    interval: '15s',
    input_series: Object.entries({ ...HEALTHY, ...series }).map(([key, values]) => ({ series: key, values })),
    promql_expr_test: Object.entries(fires).map(([eval_time, found]) => ({
      expr: 'ALERTS{alertstate="firing"}',
      eval_time,
      exp_samples: found.map(({ alert, labels = {} }) => {
        const alertname = `Causeway${alert}`
        const rule = alerts.find((item) => textAt(item, 'alert') === alertname)
        const all = { alertname, alertstate: 'firing', severity: textAt(rule, 'labels.severity'), ...labels }
        const text = Object.entries(all).map(([label, value]) => `${label}="${value}"`)
        return { labels: `ALERTS{${text.join(',')}}`, value: 1 }
      }),
    })),
  })),
})

const run = promisify(execFile)
const program = findProgram('prometheus')
const redisProgram = findProgram('redis-server')
const missing = program === undefined ? 'prometheus' : redisProgram === undefined ? 'redis-server' : null
const title = missing === null ? '' : ` (skipped: there is no ${missing} on this machine)`

if (missing !== null && process.env.CAUSEWAY_REQUIRE_PROMETHEUS === '1') {
  it('finds the programs that CAUSEWAY_REQUIRE_PROMETHEUS asks for', () => expect(missing).toBeNull())
}

describe.skipIf(missing !== null)(`alert rules and dashboard in Prometheus${title}`, () => {
  let world: HttpWorld
  let webhooks: TestHost
  let redis: Server
  let node: TcpProxy
  let prometheus: Prometheus
  let folder: string
  /** What promtool says of the cases. */
  let tried: Promise<string>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-alerts-'))
    const cases = join(folder, 'cases.json')
    writeFileSync(cases, JSON.stringify(promtoolCases()))
    // What it finds wrong is in what it prints.
    tried = run(findProgram('promtool') ?? '', ['test', 'rules', cases]).then(
      ({ stdout }) => stdout,
      (error: unknown) => String(Reflect.get(Object(error), 'stdout')),
    )
    redis = await startRedis(redisProgram ?? '', folder)
    process.env.CAUSEWAY_ALERTS_REDIS = `redis://127.0.0.1:${redis.port}`
    const plugins = {
      'rate-limits': { store: 'redis', redis: { env: 'CAUSEWAY_ALERTS_REDIS' }, storeTimeoutMs: 5_000, scale: 1_000 },
      realtime: {},
      webhooks: {},
    }
    world = await startHttpWorld({
      roles: ['api', 'watcher', 'solver'],
      plugins: () => plugins,
      balances: ({ chains: [{ chain, usdc }] }) => ({ chainId: chain.chainId, currency: usdc }),
      rpcUrls: async ({ chains: [harbor] }) => {
        node = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(harbor.chain.rpcUrl).port) })
        return { [harbor.chain.chainId]: `http://127.0.0.1:${node.port}` }
      },
    })
    const { network, database } = world
    webhooks = await startTestHost({ network, database, plugins, roles: ['webhooks'] })
    prometheus = await startPrometheus(program ?? '', {
      folder: join(folder, 'prometheus'),
      rules: shortened(),
      targets: [world.host.url, webhooks.url].map((url) => new URL(url).host),
    })
  })
  afterAll(async () => {
    await prometheus?.stop()
    await webhooks?.stop()
    await world?.close()
    await node?.cut().catch(() => undefined)
    await redis?.stop()
    delete process.env.CAUSEWAY_ALERTS_REDIS
    rmSync(folder, { recursive: true, force: true })
  })

  /** `name label label`, those of an alert that tell what it is about. */
  const firing = async (): Promise<readonly string[]> =>
    (await prometheus.firing())
      .map(({ labels: { alertname, severity, instance, signer, ...labels } }) =>
        [String(alertname).replace('Causeway', ''), ...Object.values(labels)].join(' '),
      )
      .sort()

  const transfer = async (): Promise<void> => {
    const answer = await postQuote(world, nativeBody(world, { recipient: freshAddress() }))
    expect(answer.status).toBe(200)
    // CAST: the tests of the quote's shape check it.
    await executeQuote(world.network.chains[0].chain, userOf(world.network, 0), answer.body as QuoteAnswer)
  }

  const looks = (least: number) =>
    until(`${least} looks of Prometheus`, async () => {
      const seen = await prometheus.query('min(count_over_time(up[5m]))')
      return (seen[0]?.value ?? 0) >= least ? true : null
    })

  it('nothing fires while a deployment is idle, nor while it moves transfers', async () => {
    // Before the first look there is no host, which is an alert of its own.
    await looks(3)
    const from = performance.now()
    await looks(7)
    for (let count = 0; count < 3; count += 1) await transfer()
    await waitForQuiet(world.database.pool)
    const [before] = await prometheus.query('min(count_over_time(up[5m]))')
    await looks((before?.value ?? 0) + 4)
    expect(await prometheus.query('up == 0')).toEqual([])
    expect((await prometheus.query('causeway_payouts_total{purpose="fill",result="included"} > 0')).length).toBe(1)
    const seconds = Math.floor((performance.now() - from) / 1000)
    const fired = await prometheus.query(`max_over_time(ALERTS{alertstate="firing"}[${seconds}s])`)
    expect(fired.map(({ labels }) => labels)).toEqual([])
  })

  it('every metric, label and label value of rules and panels is shown by a host', async () => {
    // A job that never failed has no series yet; its name is checked by its help line.
    const { text } = await callApi(world.host.url, '/metrics')
    expect(text).toContain('# TYPE causeway_job_restarts_total counter')
    const series = [
      ...readExposition(text),
      { name: 'causeway_job_restarts_total', labels: { task: 'watch harbor' }, value: 0 },
    ]
    const expressions = [...alerts, ...targets].map((item) => textAt(item, 'expr'))
    expect(expressions.length).toBeGreaterThan(60)
    for (const text of expressions) expect([text, unknownIn(parsePromql(text), series)]).toEqual([text, []])
  })

  it('each rule fires when it should and not before, and none in a busy and healthy deployment', async () => {
    const shown = readExposition((await callApi(world.host.url, '/metrics')).text)
    const labelsOf = (labels: Series['labels']) => Object.keys(labels).sort().join()
    const forms = new Set(shown.map(({ name, labels }) => `${name} ${labelsOf(labels)}`)).add(JOB_RESTARTS)
    for (const { series } of [{ series: HEALTHY }, ...RULE_CASES]) {
      for (const { name, labels } of Object.keys(series).flatMap((key) => readExposition(`${key} 0`))) {
        const { instance, ...own } = labels
        expect([...forms], name).toContain(`${name} ${labelsOf(own)}`)
      }
    }
    const tested = new Set(RULE_CASES.flatMap(({ fires }) => Object.values(fires).flat()).map(({ alert }) => alert))
    expect([...tested].map((name) => `Causeway${name}`).sort()).toEqual(
      alerts.map((item) => textAt(item, 'alert')).sort(),
    )
    expect(await tried).toContain('SUCCESS')
  })

  it('what is wrong fires, by its own rule alone, and says what it is and where to read on', async () => {
    const { network, database, host } = world
    const [harbor, lagoon] = network.chains
    const { solver } = network.roles
    const write = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])
    // A table that a job needs is gone when the next transfer is told.
    await write('alter table webhook_cursor rename to webhook_cursor_away')
    await transfer()
    await waitForQuiet(database.pool)
    // Somebody's deposit that belongs to no order, and money of the operator that nobody booked.
    await depositNative(harbor, userOf(network, 1), `0x${'5e'.repeat(32)}`, ether('0.02'))
    const gift = { to: solver.address, data: '0x', value: ether('50') } as const
    await receiptOf(harbor.chain, await harbor.chain.send(userOf(network, 2), gift))
    // Somebody else has the payout key.
    const stolen = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [freshAddress(), 10n ** 20n],
    })
    await receiptOf(lagoon.chain, await lagoon.chain.send(solver, { to: lagoon.usdc, data: stolen }))
    // Only who switches the guards off can write crooked books.
    await write('alter table ledger_entries disable trigger user')
    await write(
      `insert into ledger_entries (transaction_id, account, chain_id, currency, amount)
       select max(id), 'wallet', $1, $2, 1500000 from ledger_transactions`,
      [harbor.chain.chainId, harbor.usdc],
    )
    await write('alter table ledger_entries enable trigger user')
    await write(`insert into chain_halts values ($1, 9, 3, 2, now())`, [lagoon.chain.chainId])
    // Of a key that is not configured any more: the solver says anew what its own lane is.
    await write(`insert into lanes values ($1, '0x01', 'quarantined', '{}', 1, null, now())`, [lagoon.chain.chainId])
    await redis.stop()
    const byHand = ['JobsRestart', 'ParkedDeposits', 'WalletDiffers', 'WalletMissing']
    const lacking = async () => {
      const names = await firing()
      return byHand.filter((name) => !names.some((text) => text.startsWith(name)))
    }
    await expect.poll(lacking).toEqual([])
    // The chain's only node goes away, and the process of the webhooks ends.
    await Promise.all([node.cut(), webhooks.stop()])
    const expected = [
      'ChainHalted lagoon',
      'HeadStale harbor',
      'LaneQuarantined lagoon',
      'LedgerImbalance harbor USDC',
      'ParkedDeposits harbor stray',
      'ProviderAway harbor endpoint 1',
      'RedisAway',
      'WalletDiffers harbor ETH',
      'WalletMissing lagoon USDC',
      'WebhooksStopped queue',
      'WebhooksStopped send',
    ]
    // How much fails while a node is away depends on the machine.
    const steady = async () => (await firing()).filter((name) => !/^(JobsRestart|ItemFailures) /.test(name))
    await expect.poll(steady).toEqual(expected)
    for (const { labels, annotations } of await prometheus.firing()) {
      expect(JSON.stringify(annotations)).not.toMatch(/<no value>|<error|NaN|%!/)
      expect(annotations.runbook).toBe(`core/docs/runbooks/${labels.alertname}.md`)
    }
    expect((await callApi(host.url, '/lives')).status).toBe(200)
    // Prometheus has a label `job` of its own: a job of ours is told by another.
    const restarts = await prometheus.query('max by (task) (max_over_time(causeway_job_restarts_total[5m]))')
    expect(restarts.map(({ labels }) => labels.task)).toContain('webhooks queue')
  })

  it('a host that is gone is noticed: nobody watches', async () => {
    await world.host.stop()
    await until('the alert', async () =>
      (await firing()).some((name) => name.startsWith('NobodyWatches')) ? true : null,
    )
  })

  it('every query of the dashboard has series', async () => {
    // What is shown only while there is some of it.
    const rare = /> 0$|causeway_job_restarts_total/
    for (const target of targets) {
      const expression = textAt(target, 'expr')
      // Of the whole test: hosts have ended by now.
      const found = await prometheus.query(`last_over_time((${expression})[2m:1s])`)
      if (!rare.test(expression)) expect([expression, found.length > 0]).toEqual([expression, true])
    }
  })
})

const PROMETHEUS_LABELS = ['instance', 'job']

/** What an expression asks for that a host does not show. */
const unknownIn = ({ selectors, groupings }: Expression, series: readonly Series[]): string[] => {
  const labelsOf = (metric: string) =>
    new Set(series.filter(({ name }) => name === metric).flatMap(({ labels }) => Object.keys(labels)))
  const problems = selectors
    .filter(({ metric }) => !series.some(({ name }) => name === metric))
    .map(({ metric }) => metric)
  for (const { metric, matchers } of selectors) {
    for (const { label, operator, value } of matchers) {
      const wanted = operator === '=~' ? value.split('|') : [value]
      const known = new Set(series.filter(({ name }) => name === metric).map(({ labels }) => labels[label]))
      problems.push(...wanted.filter((item) => !known.has(item)).map((item) => `${metric}{${label}="${item}"}`))
    }
  }
  for (const { labels, metrics } of groupings) {
    for (const metric of metrics) {
      const known = labelsOf(metric)
      const lacking = labels.filter((label) => !known.has(label) && !PROMETHEUS_LABELS.includes(label))
      problems.push(...lacking.map((label) => `${metric} by ${label}`))
    }
  }
  return problems
}
