import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostCommand } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { testPort } from '../harness/testPort.js'
import { executeQuote } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type Ended, operationsFile, type PlainProcess, PlainStack, startUnit, unitOf } from './plainStack.js'

const LONG = 120_000
/** Commands that run at once. */
const AT_ONCE = 3

let network: LocalNetwork
let database: TestDatabase
let folder: string
let stack: PlainStack
let config: Record<string, unknown> & { keys: object }
let prices: string
let requestId: string

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [] })
  folder = mkdtempSync(join(tmpdir(), 'causeway-stack-'))
  await writeConfiguration()
  const { order, solver, allocator } = network.roles
  stack = new PlainStack({
    folder,
    config: JSON.stringify(config),
    beside: { 'prices.json': prices },
    secrets: {
      order_key: order.privateKey,
      master_key: '5a'.repeat(32),
      payout_key: solver.privateKey,
      allocator_key: allocator.privateKey,
    },
    databaseUrl: database.url,
  })
}, LONG)
afterAll(async () => {
  await stack?.down()
  await database?.drop()
  await network?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** One configuration for every process, with the keys as host/operations/README.md writes them. */
const writeConfiguration = async (): Promise<void> => {
  const { args } = await hostCommand({ network, databaseUrl: database.url })
  const path = args[3] ?? ''
  prices = readFileSync(join(path, '..', 'prices.json'), 'utf8')
  const { database: _url, defaultPlugins: _only, plugins: _few, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
  const [, written = ''] = /```json\n([\s\S]*?)```/.exec(operationsFile('README.md')) ?? []
  const { keys } = JSON.parse(written)
  const [payout] = Object.values(keys.payout)
  const chains = network.chains.map(({ chain }) => [String(chain.chainId), payout])
  const solver = { package: '@causeway/plugin-solver', options: { tickMs: 100, inventoryMs: 300, usedKeys: 'open' } }
  config = {
    ...rest,
    database: { leaseSeconds: 2 },
    logging: { level: 'info' },
    plugins: [solver],
    keys: { ...keys, payout: Object.fromEntries(chains) },
  }
}

const transfer = async (): Promise<string> => {
  const [from, to] = network.chains
  const user = userOf(network, 0)
  const quote = await quoteOverHttp(stack.url('api'), {
    ...{ user, from: from.chain.chainId, to: to.chain.chainId, originCurrency: NATIVE, destinationCurrency: NATIVE },
    amount: 10n ** 17n,
  })
  await executeQuote(from.chain, user, quote)
  const id = quote.requestId
  await until('the transfer', async () => {
    const answer = await fetch(`${stack.url('api')}/intents/status/v3?requestId=${id}`)
    return Reflect.get(Object(await answer.json()), 'status') === 'success' ? true : null
  })
  return id
}

describe('the services of compose.yaml, as plain processes', () => {
  it(
    'all start healthy over one configuration, each with the secrets of its role alone, and move value',
    async () => {
      expect(await stack.run('migrate')).toMatchObject({ code: 0, output: expect.stringContaining('is up to date') })
      await Promise.all(['api', 'webhooks', 'watcher', 'solver'].map((service) => stack.up(service)))
      requestId = await transfer()
      // The steps of the transfer, told by the processes that did them.
      const told = (service: string, step: string) =>
        until(step, async () => {
          const lines = stack.log(service).split('\n')
          return lines.some((line) => line.includes(`"msg":"${step}"`) && line.includes(requestId)) ? true : null
        })
      await told('watcher', 'deposit seen')
      for (const step of ['decided', 'fill signed', 'fill broadcast', 'fill included', 'fill final'])
        await told('solver', step)
      const secrets = [network.roles.solver.privateKey, network.roles.order.privateKey, '5a'.repeat(32)]
      for (const service of ['api', 'webhooks', 'watcher', 'solver'])
        for (const secret of secrets) expect(stack.log(service)).not.toContain(secret.replace('0x', ''))
    },
    LONG,
  )

  it(
    'every command that is described works in the service "operator", which holds no signing key',
    async () => {
      expect(stack.secretsOf('operator')).toEqual(['master_key'])
      const calls: readonly (readonly [string, string | RegExp, number?])[] = [
        [`explain ${requestId}`, /success/],
        ['inventory', 'harbor'],
        ['ledger check', 'rules hold'],
        ['parked list', 'Nothing is parked.'],
        [`refund ${requestId} --reason test --yes`, 'Nothing of deposit 1 is parked', 1],
        ['halts', ''],
        ['lanes', /harbor[\s\S]*open/],
        ['quote-rules list', ''],
        ['api-keys create --integrator acme --label production', /^key: +\S+$/m],
        ['integrators list', ''],
        ['dashboard operator-token', /^token: +\S+$/m],
        ['deposit-addresses list', 'No address was given.'],
        ['currencies import missing.json', 'missing.json', 1],
      ]
      const [, words = ''] = /^A command \((.*?)\)/m.exec(operationsFile('README.md')) ?? []
      for (const [, word = ''] of words.matchAll(/`([a-z-]+)`/g)) {
        if (word !== 'doctor')
          expect(
            calls.map(([call]) => call.split(' ')[0]),
            word,
          ).toContain(word)
      }
      const waiting = [...calls]
      const work = async (): Promise<void> => {
        for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
          const [text, says, code = 0] = call
          const ended = await stack.run('operator', text.split(' '))
          expect({ text, ...ended }).toMatchObject({ text, code })
          expect(ended.output, text).toMatch(says)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    },
    LONG,
  )

  it(
    'doctor, without a word of configuration, says what it could not look at and does not fail for that',
    async () => {
      const operator = await stack.run('operator', ['doctor', '--json'])
      // CAST: the test looks at what it relies on.
      const { findings } = JSON.parse(operator.output) as {
        findings: { check: string; subject: string; state: string }[]
      }
      const of = (state: string) => findings.filter((finding) => finding.state === state)
      expect(of('unchecked').map(({ subject }) => subject)).toEqual(
        expect.arrayContaining(['keys.order', 'keys.allocator', 'keys.payout.70001', 'keys.payout.70002']),
      )
      // The database of the tests does not flush; nothing else is wrong.
      expect(of('fault').map(({ check }) => check)).toEqual(['database durability'])
      const asSolver = await stack.run('operator', ['doctor', '--role', 'solver'])
      expect(asSolver).toMatchObject({ code: 1, output: expect.stringContaining('keys.payout.70001 names ') })
    },
    LONG,
  )

  it(
    'a role does not start without a secret of its own, and says which and where',
    async () => {
      const start = ['start', '--config', '/etc/causeway/causeway.config.json', '--role', 'solver', '--port', '3000']
      const { code, output } = await stack.run('webhooks', start)
      expect(code).toBe(1)
      expect(output).toMatch(/keys\.allocator names \S+allocator_key, which cannot be read/)
      expect(output).toMatch(/keys\.payout\.70001 names/)
    },
    LONG,
  )
})

/** Variables by file, as the table of host/operations/README.md has them. */
const variablesOf = (file: string): readonly string[] => {
  const [, cell = ''] =
    new RegExp(`^\\| \`${file.replace('.', '\\.')}\` +\\|(.*)\\|$`, 'm').exec(operationsFile('README.md')) ?? []
  return [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name)
}

describe('the systemd units, as plain processes', () => {
  it(
    'a process for each role starts with the variables of its file, and a command with those of operator.env',
    async () => {
      await stack.down()
      const { order, solver, allocator } = network.roles
      const values: Readonly<Record<string, string>> = {
        DATABASE_URL: database.url,
        ORDER_KEY: order.privateKey,
        MASTER_KEY: '5a'.repeat(32),
        PAYOUT_KEY: solver.privateKey,
        ALLOCATOR_KEY: allocator.privateKey,
      }
      const payout = network.chains.map(({ chain }) => [String(chain.chainId), { env: 'PAYOUT_KEY' }])
      const keys = {
        ...{ order: { env: 'ORDER_KEY' }, master: { env: 'MASTER_KEY' }, allocator: { env: 'ALLOCATOR_KEY' } },
        payout: Object.fromEntries(payout),
      }
      writeFileSync(join(folder, 'causeway.config.json'), JSON.stringify({ ...config, keys }))
      writeFileSync(join(folder, 'prices.json'), prices)
      const given = (file: string) => Object.fromEntries(variablesOf(file).map((name) => [name, values[name] ?? '']))
      const running: PlainProcess[] = []
      try {
        await Promise.all(
          ['api', 'watcher', 'solver', 'webhooks'].map(async (role) => {
            const unit = unitOf('causeway@.service', role)
            expect(unit.environmentFile).toBe(`/etc/causeway/${role}.env`)
            const port = String(await testPort())
            const child = startUnit(unit, { etc: folder, env: { ...given(`${role}.env`), PORT: port } })
            running.push(child)
            await Promise.race([
              until(`${role} to answer`, () =>
                fetch(`http://127.0.0.1:${port}/lives`).then(
                  ({ ok }) => ok || null,
                  () => null,
                ),
              ),
              child.ended.then(({ output }) => Promise.reject(new Error(output))),
            ])
          }),
        )
        expect(await operatorCommand(['lanes'], given('operator.env'))).toMatchObject({
          code: 0,
          output: expect.stringContaining('harbor'),
        })
      } finally {
        await Promise.all(running.map((child) => child.stop()))
      }
    },
    LONG,
  )
})

/** What causeway-operator has systemd run, in the folder it names. */
const operatorCommand = (words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> => {
  const script = operationsFile('causeway-operator').replaceAll('\\\n', '')
  expect(script).toContain('--property=EnvironmentFile=/etc/causeway/operator.env')
  expect(script).toContain('--working-directory=/etc/causeway')
  const [, program = ''] = /(\/usr\/bin\/node .*) "\$@"$/m.exec(script) ?? []
  const config = ['--config', '/etc/causeway/causeway.config.json']
  return startUnit({ words: [...program.split(' '), ...words, ...config] }, { etc: folder, env }).ended
}
