import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopEmbeddedPostgres } from '@causeway/core/host'
import apiKeys from '@causeway/plugin-api-keys'
import currencies from '@causeway/plugin-currencies'
import operator from '@causeway/plugin-operator'
import quote from '@causeway/plugin-quote'
import solver from '@causeway/plugin-solver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HostProcess, hostCommand, startHostProcess } from '../harness/host/hostProcess.js'
import { SHORT_LIFE } from '../harness/host/shortLife.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'

const AT_ONCE = 4
/** Some thirty processes, one after the other on a busy machine. */
const LONG = 600_000

let network: LocalNetwork
let folder: string
/** Ended after the tests even when one fails. */
const hosts: HostProcess[] = []

beforeAll(async () => {
  network = await startLocalNetwork()
  folder = mkdtempSync(join(tmpdir(), 'causeway-embedded-'))
  // A server of root runs as another user, who must be able to walk here.
  chmodSync(folder, 0o755)
})
afterAll(async () => {
  for (const host of hosts) host.signal('SIGKILL')
  await Promise.all(hosts.map(({ ended }) => ended))
  await stopEmbeddedPostgres(dataDir())
  rmSync(folder, { recursive: true, force: true })
  await network?.close()
})

const dataDir = (): string => join(folder, 'data', 'postgres')
const serverRuns = (): boolean => existsSync(join(dataDir(), 'postmaster.pid'))

/** A deployment without a database of its own: the embedded one. */
const deployment = () => ({
  network,
  databaseUrl: '',
  folder,
  config: { database: { leaseSeconds: 2 }, dataDir: 'data' },
})

const startHost = async (): Promise<HostProcess> => {
  const host = await startHostProcess(deployment())
  hosts.push(host)
  return host
}

const stop = async (host: HostProcess): Promise<void> => {
  host.signal('SIGTERM')
  expect(await host.ended).toBe('0')
  hosts.splice(hosts.indexOf(host), 1)
}

/** What the money and the readers need of the database. */
const serves = async ({ url }: HostProcess): Promise<number[]> =>
  Promise.all(['/lives', '/chains'].map(async (path) => (await fetch(`${url}${path}`)).status))

const anything: unknown = new Proxy(() => undefined, { get: () => anything, apply: () => anything })

/** Every word of the plugins with something for each argument it needs, and the host's own that open the database. */
const everyCommand = (): string[][] => {
  // CAST: commands are listed without being run; nothing of their services is used.
  const context = { container: { resolve: () => anything }, options: anything } as never
  const words = [apiKeys, currencies, operator, quote, solver].flatMap((plugin) => plugin.commands?.(context) ?? [])
  return [
    ['migrate'],
    ['doctor', '--timeout', '2'],
    ...words.map(({ name, arguments: wanted = [] }) => [
      ...name.split(' '),
      ...wanted.filter(({ required }) => required).map(() => '1'),
    ]),
  ]
}

interface Ended {
  readonly words: string
  readonly code: number | null
  readonly said: string
}

const run = async (words: readonly string[]): Promise<Ended> => {
  const { args, env } = await hostCommand(deployment())
  const [cli = '', , , config = ''] = args
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...SHORT_LIFE, cli, ...words, '--config', config], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.once('close', (code) => resolve({ words: words.join(' '), code, said }))
  })
}

/** Some at once, as several operators would. */
const runAll = async (commands: readonly (readonly string[])[]): Promise<Ended[]> => {
  const queue = [...commands]
  const ended: Ended[] = []
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) ended.push(await run(next))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return ended
}

describe('F130: commands on the embedded database', () => {
  it('without a host they leave no server behind, also when they overlap', async () => {
    const ended = await runAll([['migrate'], ['lanes'], ['ledger', 'check', '--offline'], ['parked', 'list']])
    expect(ended.filter(({ code }) => code !== 0)).toEqual([])
    expect(serverRuns()).toBe(false)
  })

  it('beside a host, every one of them leaves it serving', { timeout: LONG }, async () => {
    const host = await startHost()
    const commands = everyCommand()
    expect(commands.length).toBeGreaterThan(25)
    const ended = await runAll(commands)
    expect(ended.filter(({ said }) => /cannot be reached|ECONNREFUSED|terminat/i.test(said))).toEqual([])
    expect(await serves(host)).toEqual([200, 200])
    expect(host.log()).not.toMatch(/terminating connection/)
  })

  it('a host that stops leaves the server to the other, and the last takes it along', async () => {
    const [first] = hosts
    if (first === undefined) throw new Error('no host runs')
    const second = await startHost()
    await stop(first)
    expect(await serves(second)).toEqual([200, 200])
    await stop(second)
    expect(serverRuns()).toBe(false)
  })
})
