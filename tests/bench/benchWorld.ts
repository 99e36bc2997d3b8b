import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentOf } from '@causeway/core'
import { startEmbeddedPostgres } from '@causeway/core/host'
import pg from 'pg'
import { type HostProcess, type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'

/** How much a run does. */
export interface Scale {
  readonly rounds: number
  /** Requests of one round over one connection; twice as many over several. */
  readonly requests: number
  readonly transfersPerRound: number
  readonly burst: number
  readonly sustained: number
  readonly transfersOfMemory: number
  readonly quotesOfMemory: number
  /** How many requests the history has, the smaller size first. */
  readonly histories: readonly number[]
  readonly pagesPerRound: number
  readonly secondsOfChanges: number
  /** Status changes told to websockets and webhooks, one after the other. */
  readonly changesToTell: number
  readonly idleSubscribers: number
  readonly deliveriesPerRound: number
  /** Events that wait for a receiver which never answers. */
  readonly deadQueue: number
  /** What a stranger sends at once: transfers of a worthless token, and deposits of one unit under one order. */
  readonly flood: { readonly transfers: number; readonly dust: number }
  /** Live addresses to pay to, payments one after the other, dust to one of them, and how long calls are counted. */
  readonly addresses: {
    readonly live: number
    readonly payments: number
    readonly dust: number
    readonly watchedMs: number
  }
  /** Ledger entries of one wallet, postings at once, and samples of a round. */
  readonly balances: { readonly entries: number; readonly crowd: number; readonly samples: number }
  /** Requests of one integrator, views a round, turns of the wheel through them, and how long consoles are open. */
  readonly pages: {
    readonly records: number
    readonly views: number
    /** Pages of an area whose scripts are counted, one after the other. */
    readonly scripts: number
    readonly wheels: number
    readonly consoleSeconds: number
  }
  /** Node of the hosts is started as an operator would; without, as for a test (SHORT_LIFE). */
  readonly longLife: boolean
}

/** What every case works with: a durable PostgreSQL, two chains, and hosts as an operator runs them. */
export interface BenchWorld {
  readonly network: LocalNetwork
  readonly scale: Scale
  /** A fresh database on the durable server. */
  createDatabase(): Promise<string>
  /** A built host in a process of its own that can already quote; stopped at the end. */
  startHost(options: Omit<HostProcessOptions, 'network' | 'solver'>): Promise<HostProcess>
  stopHost(host: HostProcess): Promise<void>
  say(text: string): void
  close(): Promise<void>
}

/** As an operator runs it, but for a withdrawal of deposits, which no figure here is about. */
const SOLVER = { withdrawals: false }

/** Starts the parts that all cases share. State is stored with fsync, as in production. */
export const openBenchWorld = async (scale: Scale, say: (text: string) => void): Promise<BenchWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-'))
  chmodSync(folder, 0o711)
  // An interrupted run does not come to `close`.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    environment: environmentOf(process.env),
  })
  const network = await startLocalNetwork({ swaps: true, dollars: 'authorization' })
  const hosts = new Set<HostProcess>()
  const world: BenchWorld = {
    network,
    scale,
    say,
    createDatabase: () => createDatabase(postgres.url),
    startHost: async (options) => {
      const host = await startHostProcess({ ...options, network, solver: SOLVER, longLife: scale.longLife })
      hosts.add(host)
      return host
    },
    stopHost: async (host) => {
      hosts.delete(host)
      host.signal('SIGTERM')
      await host.ended
    },
    close: async () => {
      for (const host of hosts) host.signal('SIGKILL')
      await network.close()
      await postgres.stop()
    },
  }
  return world
}

const createDatabase = async (serverUrl: string): Promise<string> => {
  const name = `bench_${randomBytes(4).toString('hex')}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.toString()
}

/** Resolves when the host knows what its solver owns and can quote both ways. */
export const waitUntilQuoting = async ({ network }: BenchWorld, url: string): Promise<void> => {
  const [harbor, lagoon] = network.chains
  const [user] = network.users
  if (user === undefined) throw new Error('The network has no users')
  for (const [from, to] of [
    [harbor, lagoon],
    [lagoon, harbor],
  ] as const) {
    await quoteOverHttp(url, {
      user,
      from: from.chain.chainId,
      to: to.chain.chainId,
      originCurrency: from.usdc,
      destinationCurrency: to.usdc,
      amount: 10n * 10n ** (from === harbor ? 6n : 18n),
    })
  }
}

export interface ScriptProcess {
  readonly child: ChildProcess
  /** What the script printed after `word`, once it did. */
  said(word: string): Promise<string>
  stop(): Promise<void>
}

const HERE = dirname(fileURLToPath(import.meta.url))

/** Runs a built script of this folder in a process of its own. */
export const startScript = (name: string, args: readonly string[]): ScriptProcess => {
  const child = spawn(process.execPath, [join(HERE, name), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  const listeners = new Set<() => void>()
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    for (const listener of listeners) listener()
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const find = (word: string) => new RegExp(`^${word} (.*)$`, 'm').exec(output)?.[1]
  return {
    child,
    said: (word) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = find(word)
          if (found === undefined) return
          listeners.delete(look)
          resolve(found)
        }
        listeners.add(look)
        look()
        void ended.then(() => reject(new Error(`${name} ended before it said "${word}"`)))
      }),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
