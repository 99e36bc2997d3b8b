import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isAlive } from './processes.js'
import type { SandboxState } from './state/sandboxState.js'

const BIN = fileURLToPath(new URL('../../bin/causeway.js', import.meta.url))
const PATIENCE = { timeout: 90_000, interval: 100 }

let folder: string
let output = ''
let supervisor: ChildProcess

interface Info {
  readonly baseUrl: string
  readonly apiKey: string
  readonly databaseUrl: string
  readonly configPath: string
  readonly hostPid: number
  readonly chains: readonly { readonly id: number; readonly rpcUrl: string; readonly currencies: readonly object[] }[]
  readonly accounts: readonly object[]
  readonly sponsor: string | null
}

const home = (): string => join(folder, '.causeway')
const read = <T>(name: string): T => JSON.parse(readFileSync(join(home(), name), 'utf8'))
const info = (): Info => read('sandbox.json')

/** The built program, as an operator runs it: in a folder without a configuration. */
const start = (): void => {
  const { DATABASE_URL: _unused, ...env } = process.env
  output = ''
  supervisor = spawn(process.execPath, [BIN, 'start'], {
    cwd: folder,
    env: { ...env, PORT: '0', CAUSEWAY_HOME: home(), CAUSEWAY_SANDBOX_CHAINS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [supervisor.stdout, supervisor.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
}

const says = (text: string) =>
  vi.waitFor(() => {
    if (!output.includes(text)) throw new Error(`It did not say "${text}" but:\n${output}`)
  }, PATIENCE)

const end = async (signal: NodeJS.Signals): Promise<void> => {
  const ended = new Promise((resolve) => supervisor.once('exit', resolve))
  supervisor.kill(signal)
  await ended
}

const quote = ({ path = '/quote', withKey = true } = {}): Promise<Response> => {
  const { baseUrl, apiKey, chains, accounts } = info()
  const user = Reflect.get(accounts[0] ?? {}, 'address')
  const currency = '0x0000000000000000000000000000000000000000'
  const body = {
    user,
    recipient: user,
    originChainId: chains[0]?.id,
    destinationChainId: chains[1]?.id,
    originCurrency: currency,
    destinationCurrency: currency,
    amount: '1000000000000000000',
    tradeType: 'EXACT_INPUT',
    referrer: 'sandbox.test',
  }
  const headers = { 'content-type': 'application/json', ...(withKey ? { 'x-api-key': apiKey } : {}) }
  return fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-sandbox-'))
})
afterAll(async () => {
  if (supervisor.exitCode === null && supervisor.signalCode === null) await end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

it('starts, restarts a host that died, is taken on after its supervisor died, and stops (architecture.md 7)', async () => {
  start()
  await says('The sandbox is ready at')
  const first = info()
  expect(Object.keys(first)).toEqual([
    'baseUrl',
    'apiKey',
    'databaseUrl',
    'configPath',
    'hostPid',
    'chains',
    'accounts',
    'sponsor',
  ])
  expect(first.accounts.map((account) => Reflect.get(account, 'address'))).toContain(first.sponsor)
  expect(first.chains.map(({ currencies }) => currencies.length)).toEqual([9, 3, 4, 1, 3, 3, 3, 3, 2, 2])
  expect(statSync(join(home(), 'sandbox.json')).mode & 0o077).toBe(0)
  expect((await quote()).status).toBe(200)
  // As the public client SDK asks: with a referrer, and without a key.
  expect((await quote({ path: '/quote/v2', withKey: false })).status).toBe(200)
  // A caller on this machine needs no key, except where a proxy forwards its call.
  const call = async (path: string, body?: object, more: Record<string, string> = {}): Promise<number> => {
    const json = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json', ...more }
    return (await fetch(`${first.baseUrl}${path}`, { ...json, headers })).status
  }
  for (const [path, body, status] of [
    ['/requests/v3', undefined, 200],
    ['/execute', {}, 400],
  ] as const) {
    expect([path, await call(path, body)]).toEqual([path, status])
    expect([path, await call(path, body, { 'x-forwarded-for': '203.0.113.7' })]).toEqual([path, 401])
    expect([path, await call(path, body, { 'x-api-key': 'none' })]).toEqual([path, 401])
  }
  // Without these a client that reads its chains here cannot wait for its own deposit.
  expect(await (await fetch(`${first.baseUrl}/chains`)).json()).toMatchObject({
    chains: first.chains.map(({ rpcUrl }) => ({ httpRpcUrl: rpcUrl })),
  })

  process.kill(first.hostPid, 'SIGKILL')
  await vi.waitFor(() => expect(info().hostPid).not.toBe(first.hostPid), PATIENCE)
  const second = info()
  expect(second).toEqual({ ...first, hostPid: second.hostPid })
  expect((await quote()).status).toBe(200)

  await end('SIGKILL')
  start()
  await says('The sandbox is ready at')
  expect(info()).toEqual(second)
  expect(output).toContain('Taking on the chains')

  const { chains } = read<SandboxState>('sandbox.state.json')
  await end('SIGTERM')
  expect(existsSync(join(home(), 'sandbox.json'))).toBe(false)
  for (const pid of [second.hostPid, ...chains.flatMap(({ pid }) => pid ?? [])]) expect(isAlive(pid)).toBe(false)
}, 240_000)
