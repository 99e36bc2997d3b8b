import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startTestPlugin } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chainTestingOf } from '../sandboxChains.js'
import plugin from './index.js'

const BIN = fileURLToPath(new URL('../../../bin/causeway.js', import.meta.url))
const PATIENCE = { timeout: 120_000, interval: 100 }

interface Info {
  readonly baseUrl: string
  readonly apiKey: string
  readonly hostPid: number
  readonly chains: readonly {
    readonly id: number
    readonly name: string
    readonly vmType: string
    readonly rpcUrl: string
    readonly wsUrl: string
    readonly currencies: readonly { readonly address: string; readonly symbol: string; readonly decimals: number }[]
  }[]
  readonly accounts: readonly { readonly chainId: number; readonly address: string; readonly privateKey: string }[]
}

interface Answer {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers of many operations, each looked at by a matcher.
  readonly body: any
}

let folder: string
let supervisor: ChildProcess
let output = ''

const home = (): string => join(folder, '.causeway')
const info = (): Info => JSON.parse(readFileSync(join(home(), 'sandbox.json'), 'utf8'))
const environment = (): NodeJS.ProcessEnv => {
  const { DATABASE_URL: _ownOne, ...env } = process.env
  return { ...env, PORT: '0', CAUSEWAY_HOME: home(), CAUSEWAY_SANDBOX_CHAINS: '' }
}
const command = async (...words: readonly string[]): Promise<string> => {
  const config = join(home(), 'sandbox.config.json')
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, ...words, '--config', config], {
    env: environment(),
  })
  return stdout
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-try-'))
  supervisor = spawn(process.execPath, [BIN, 'start'], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [supervisor.stdout, supervisor.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  await vi.waitFor(() => {
    if (!output.includes('Press Ctrl-C')) throw new Error(output)
  }, PATIENCE)
}, 130_000)
afterAll(async () => {
  const ended = new Promise((resolve) => supervisor.once('exit', resolve))
  supervisor.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

/** With every header as it is given, `host` too. */
const call = (method: string, path: string, { body, headers = {} }: { body?: unknown; headers?: object } = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(`${info().baseUrl}${path}`, { method, headers: { ...type, ...headers } }, (answer) => {
      let got = ''
      answer.on('data', (chunk) => {
        got += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: got, body: JSON.parse(got) }))
    })
    sent.on('error', reject)
    sent.end(text)
  })
const get = (path: string) => call('GET', path)
const post = (path: string, body: unknown, headers: object = {}) => call('POST', path, { body, headers })

const chain = (name: string) => {
  const found = info().chains.find((each) => each.name === name)
  if (found === undefined) throw new Error(`There is no chain ${name}`)
  return found
}
const account = (name: string, at: number) => {
  const found = info().accounts.filter(({ chainId }) => chainId === chain(name).id)[at]
  if (found === undefined) throw new Error(`${name} has no account ${at}`)
  return found
}
const currency = (name: string, symbol?: string): string => {
  const { currencies } = chain(name)
  return (symbol === undefined ? currencies[0] : currencies.find((each) => each.symbol === symbol))?.address ?? ''
}

/** What the page asks for, by the key of the demo integrator. */
const quote = async (
  from: string,
  to: string,
  amount: string,
  { symbol, ...more }: { symbol?: string; [name: string]: unknown } = {},
) => {
  const body = {
    user: account(from, 1).address,
    recipient: account(to, 2).address,
    originChainId: chain(from).id,
    destinationChainId: chain(to).id,
    originCurrency: currency(from, symbol),
    destinationCurrency: currency(to, symbol),
    amount,
    tradeType: 'EXACT_INPUT',
    ...more,
  }
  const answer = await post('/quote', body, { 'x-api-key': info().apiKey })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

const ends = (requestId: string, status: string): Promise<Answer['body']> =>
  vi.waitFor(async () => {
    const { body } = await get(`/intents/status/v3?requestId=${requestId}`)
    expect(body).toMatchObject({ status })
    return body
  }, PATIENCE)

describe('what there is', () => {
  it('chains, accounts and the host are told, and no key of any', async () => {
    const { status, body, text } = await get('/try/api/sandbox')
    expect(status).toBe(200)
    expect(body.chains.map(({ name }: { name: string }) => name)).toEqual([
      'harbor',
      'lagoon',
      'reef',
      'glacier',
      'fjord',
      'atoll',
      'islet',
      'cove',
      'shoal',
      'bight',
    ])
    expect(body.chains[0].features).toMatchObject({ depositAddresses: true, gasless: true })
    expect(body.chains[0].features.permits).toContain(currency('harbor', 'USDC'))
    expect(body.accounts).toHaveLength(info().accounts.length)
    expect(body.accounts[4]).toMatchObject({ label: 'User 5 (sponsor)', sponsor: true })
    expect(body).toMatchObject({ mainnetIds: false, host: { pid: info().hostPid, restarts: 0, restartedAt: null } })
    for (const { privateKey } of info().accounts) expect(text).not.toContain(privateKey)
    expect(text).not.toContain(info().apiKey)
  })

  it('an account’s balances are what the chain says; of others nothing is told', async () => {
    const { address } = account('harbor', 3)
    const { body } = await get(`/try/api/accounts/${chain('harbor').id}/${address}/balances`)
    const usdc = body.currencies.find(({ symbol }: { symbol: string }) => symbol === 'USDC')
    expect(usdc).toMatchObject({ amount: '10000000000', amountFormatted: '10000.0' })
    const { readChain } = await chainTestingOf({ package: '@causeway/chain-evm' })
    const endpoint = { http: chain('harbor').rpcUrl }
    const reader = readChain({ chainId: chain('harbor').id, endpoint })
    expect(await reader.balance(address, usdc.address)).toBe(10_000_000_000n)
    for (const path of [`1/${address}`, `${chain('harbor').id}/0x${'12'.repeat(20)}`])
      expect(await get(`/try/api/accounts/${path}/balances`)).toMatchObject({ status: 404 })
  })

  it('the log is told from where it was read to', async () => {
    const { body } = await get('/try/api/log')
    expect(body.lines.length).toBeGreaterThan(0)
    expect((await get(`/try/api/log?after=${body.next}`)).body.next).toBeGreaterThanOrEqual(body.next)
    expect(await get('/try/api/log?after=-1')).toMatchObject({ status: 400 })
  })
})

describe('paying', () => {
  it.each([
    ['harbor', 'lagoon', '100000000000000000'],
    ['reef', 'harbor', '1000000000'],
    ['glacier', 'harbor', '1000000'],
    ['fjord', 'lagoon', '100000000'],
    ['atoll', 'lagoon', '20000000000'],
    ['islet', 'lagoon', '20000000000'],
    ['cove', 'lagoon', '200000000'],
    ['shoal', 'lagoon', '20000000000'],
    ['bight', 'lagoon', '200000000'],
  ])('a quote on %s is paid by its sender’s account, once', async (from, to, amount) => {
    const given = await quote(from, to, amount)
    const paid = await post('/try/api/pay', { quote: given })
    expect(paid).toMatchObject({ status: 200, body: { said: null } })
    expect(await ends(given.requestId, 'success')).toMatchObject({ inTxHashes: [paid.body.transactionId] })
    expect(await post('/try/api/pay', { quote: given })).toMatchObject({ status: 409 })
  })

  it('a token is approved and deposited; with a permit a signature is all', async () => {
    const approved = await quote('harbor', 'lagoon', '5000000', { symbol: 'USDC' })
    const permitted = await quote('harbor', 'lagoon', '6000000', { symbol: 'USDC', usePermit: true })
    const [paid, signed] = [
      await post('/try/api/pay', { quote: approved }),
      await post('/try/api/pay', { quote: permitted }),
    ]
    expect(paid.body.transactionId).toMatch(/^0x/)
    expect(signed.body).toEqual({ transactionId: null, said: expect.stringMatching(/taken/) })
    for (const { requestId } of [approved, permitted]) await ends(requestId, 'success')
  })

  it('one account pays several quotes at once, one after the other', async () => {
    const amounts = ['10000000000000000', '20000000000000000', '30000000000000000']
    const quotes = await Promise.all(amounts.map((amount) => quote('lagoon', 'harbor', amount)))
    const paid = await Promise.all(quotes.map((given) => post('/try/api/pay', { quote: given })))
    expect(paid.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { requestId } of quotes) await ends(requestId, 'success')
  })

  it('of two presses at once one pays', async () => {
    const given = await quote('harbor', 'lagoon', '10000000000000000')
    const both = await Promise.all([post('/try/api/pay', { quote: given }), post('/try/api/pay', { quote: given })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('what is no quote of this sandbox, or another than it gave, is refused and nothing is sent', async () => {
    const given = await quote('harbor', 'lagoon', '10000000000000000')
    const { details } = given
    const { currencyIn } = details
    const other = { ...given, requestId: `0x${'ab'.repeat(32)}` }
    const elsewhere = { ...currencyIn, currency: { ...currencyIn.currency, chainId: 1 } }
    const tried: readonly (readonly [unknown, number, string])[] = [
      [{}, 400, 'body.quote'],
      [{ quote: { message: 'no route' } }, 400, 'body.quote'],
      [{ quote: { ...given, steps: [] } }, 400, 'body.quote.steps'],
      [{ quote: other }, 404, 'no such quote'],
      [
        { quote: { ...given, details: { ...details, sender: `0x${'12'.repeat(20)}` } } },
        400,
        'no account of this sandbox',
      ],
      [
        { quote: { ...given, details: { ...details, sender: account('harbor', 2).address } } },
        400,
        'not as this sandbox gave it',
      ],
      [
        { quote: { ...given, details: { ...details, currencyIn: { ...currencyIn, amount: '1' } } } },
        400,
        'not as this sandbox gave it',
      ],
      [{ quote: { ...given, details: { ...details, currencyIn: elsewhere } } }, 400, 'none of this sandbox'],
    ]
    for (const [body, status, message] of tried) {
      const answer = await post('/try/api/pay', body)
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)])
    }
    expect((await get(`/intents/status/v3?requestId=${given.requestId}`)).body).toMatchObject({ status: 'waiting' })
  })

  it('what a node refuses is told in its words, without its address, and can be paid once it is right', async () => {
    const given = await quote('harbor', 'lagoon', '10000000000000000')
    const [step] = given.steps
    const [item] = step.items
    const broken = { ...given, steps: [{ ...step, items: [{ ...item, data: { ...item.data, gas: '1' } }] }] }
    const refused = await post('/try/api/pay', { quote: broken })
    expect(refused).toMatchObject({ status: 422, body: { message: expect.stringMatching(/^It could not be sent: ./) } })
    expect(refused.text).not.toContain('127.0.0.1')
    expect(await post('/try/api/pay', { quote: given })).toMatchObject({ status: 200 })
  })
})

describe('who is refused', () => {
  it.each([
    ['GET', '/try/api/sandbox'],
    ['GET', '/try/api/log'],
    ['GET', '/try/api/accounts/71001/0x12/balances'],
    ['POST', '/try/api/pay'],
    ['POST', '/try/api/trouble'],
    ['POST', '/try/api/kill'],
  ])('%s %s: pages of others, other names, other types', async (method, path) => {
    const body = method === 'POST' ? { body: {} } : {}
    const refused = [
      [{ origin: 'https://evil.example' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ host: 'evil.example' }, 403],
      ...(method === 'POST' ? ([[{ 'content-type': 'text/plain' }, 415]] as const) : []),
    ] as const
    for (const [headers, status] of refused)
      expect(await call(method, path, { ...body, headers })).toMatchObject({
        status,
        body: { message: expect.any(String) },
      })
  })

  it('a post without a type is refused too', async () => {
    expect(await call('POST', '/try/api/kill')).toMatchObject({ status: 415 })
  })

  it('the plugin starts in no other host', async () => {
    await expect(startTestPlugin(plugin, { options: { home: join(folder, 'nothing') } })).rejects.toThrow(
      'runs in a sandbox only: there is no sandbox in',
    )
  })
})

describe('trouble', () => {
  it('a deposit with the id of no order is parked, and an operator sends it back', async () => {
    const { status, body } = await post('/try/api/trouble', { kind: 'unknown-order' })
    expect([status, body]).toEqual([200, expect.objectContaining({ kind: 'unknown-order', requestId: null })])
    const parked = await vi.waitFor(async () => {
      const { deposits } = JSON.parse(await command('parked', 'list', '--json'))
      const text = JSON.stringify(deposits)
      expect(text).toContain(body.transactionId)
      return deposits.find((deposit: object) => JSON.stringify(deposit).includes(body.transactionId))
    }, PATIENCE)
    expect(parked).toMatchObject({ reason: expect.stringContaining('unknown order id') })
    expect(await command('parked', 'refund', parked.depositId, '--reason', 'asked for it', '--yes')).toContain(
      'On its way',
    )
    await vi.waitFor(async () => {
      expect(await command('parked', 'list', '--json')).not.toContain(body.transactionId)
    }, PATIENCE)
  })

  it.each([
    ['underpay', 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'],
    ['closed-recipient', 'DESTINATION_TOKEN_TRANSFER_REJECTED'],
  ])('%s ends in failure, and only an operator’s refund leaves it', async (kind, failReason) => {
    const { status, body } = await post('/try/api/trouble', { kind })
    expect([status, body]).toEqual([200, expect.objectContaining({ kind, requestId: expect.stringMatching(/^0x/) })])
    const why = { failReason, refundFailReason: 'MANUAL_REFUND_REQUIRED' }
    expect(await ends(body.requestId, 'failure')).toMatchObject(why)
    const to = ['--to', body.account, '--reason', 'asked for it', '--yes']
    const [newest] = JSON.parse(await command('parked', 'list', '--json')).deposits
    expect(newest.reason).toContain(failReason)
    await command('parked', 'refund', newest.depositId, ...to)
    await ends(body.requestId, 'refund')
  })

  it('other kinds are refused', async () => {
    for (const body of [{}, { kind: 'arson' }, { kind: 'underpay', more: 1 }])
      expect(await post('/try/api/trouble', body)).toMatchObject({ status: 400 })
  })
})

it('killed in the middle of a transfer the host comes back, says so, and pays', async () => {
  const given = await quote('harbor', 'lagoon', '50000000000000000')
  await post('/try/api/pay', { quote: given })
  const before = info().hostPid
  const asked = await Promise.all([post('/try/api/kill', {}), post('/try/api/kill', {})])
  expect(asked.map(({ status }) => status).sort()).toEqual([202, 429])
  expect(asked.find(({ status }) => status === 202)?.body).toEqual({ pid: before })
  await vi.waitFor(() => expect(info().hostPid).not.toBe(before), PATIENCE)
  const { body } = await get('/try/api/sandbox')
  expect(body.host).toMatchObject({ pid: info().hostPid, restarts: 1 })
  expect(Date.parse(body.host.restartedAt)).toBeGreaterThan(0)
  await ends(given.requestId, 'success')
  await vi.waitFor(async () => {
    const texts = (await get('/try/api/log')).body.lines.map((line: { text: string }) => line.text)
    const [killed, ready] = ['the host is killed', 'the host is ready'].map((word) =>
      texts.findLastIndex((text: string) => text.startsWith(word)),
    )
    expect(killed).toBeGreaterThan(-1)
    expect(ready).toBeGreaterThan(killed ?? 0)
  }, PATIENCE)
  expect(await post('/try/api/pay', { quote: given })).toMatchObject({ status: 409 })
}, 120_000)
