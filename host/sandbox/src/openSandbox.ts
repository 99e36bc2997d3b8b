import { mkdirSync, rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type EnvironmentVariables, environmentOf } from '@causeway/core'
import type { ChainTesting, LocalChain, TestKey } from '@causeway/core/testing'
import type { ChainPlan } from './chainPlans.js'
import { createDemoApiKey } from './demoApiKey.js'
import { endProcess, isProcess } from './processes.js'
import { areSameChains, chainTestingOf, startSandboxChain } from './sandboxChains.js'
import { balanceCurrencyOf, writeConfig } from './sandboxConfig.js'
import { createEmptyDatabase, startSandboxPostgres } from './sandboxDatabase.js'
import { type ChainKeys, createKeys, type KeyedChain, newSecret } from './sandboxKeys.js'
import type { SandboxPaths } from './state/sandboxPaths.js'
import { type RecordedChain, removeState, type SandboxState, writeState } from './state/sandboxState.js'

const USERS = 5
const GRACE_MS = 20_000

export interface OpenSandboxInput {
  readonly paths: SandboxPaths
  readonly port: number
  /** Of the chains to be made. */
  readonly plans: readonly ChainPlan[]
  /** What an earlier supervisor left, or null. */
  readonly before: SandboxState | null
  /** The host's program, for Node. */
  readonly program: string
  /** Of this process. */
  readonly variables: EnvironmentVariables
  /** Aborts at a stop. */
  readonly signal: AbortSignal
  print(line: string): void
  /** Receives the process of each chain as soon as it exists, so that a stop in between ends it. */
  onProcess(pid: number): void
  /** See `ChainParties`. */
  onInner?(chain: LocalChain): void
}

/** A sandbox whose host can be started. */
export interface OpenedSandbox {
  /** Its API key is empty until it is made. */
  readonly state: SandboxState
  /** Made while the host starts: both bring the database up to date, one after the other. */
  readonly apiKey: Promise<string>
}

/** Ends the recorded host and chains, those that are still there. */
export const endRecorded = async (state: SandboxState): Promise<void> => {
  if (state.hostPid !== null && isProcess(state.hostPid, 'causeway')) await endProcess(state.hostPid, GRACE_MS)
  const pids = state.chains.flatMap(({ pid, processWord }) =>
    pid !== null && isProcess(pid, processWord) ? [pid] : [],
  )
  await Promise.all(pids.map((pid) => endProcess(pid, GRACE_MS)))
}

/**
 * The database and chains: the recorded ones when every chain is still there and the same, else new ones, both together: a
 * database that remembers deposits of a chain that is gone would be of no use.
 */
export const openSandbox = async (input: OpenSandboxInput): Promise<OpenedSandbox> => {
  const { paths, before, port, plans, print } = input
  mkdirSync(paths.home, { recursive: true })
  if (before !== null) {
    const isChosen = isDeepStrictEqual(idsOf(before.chains), idsOf(plans))
    if (isChosen && before.apiKey !== '' && (await areSameChains(before.chains))) {
      print(`Taking on the chains that still run: ${before.chains.map(({ name }) => name).join(', ')}`)
      const postgres = await startSandboxPostgres(paths, environmentOf(input.variables), before.databasePort)
      print(`PostgreSQL is ${postgres.adopted ? 'taken on' : 'up again'}`)
      return { state: { ...before, supervisorPid: process.pid, port }, apiKey: Promise.resolve(before.apiKey) }
    }
    const why = isChosen ? 'The earlier sandbox is not whole any more' : 'Other chains are chosen'
    print(`${why}: starting anew with empty chains and an empty database`)
    await endRecorded(before)
  }
  removeState(paths)
  return createSandbox(input)
}

const idsOf = (chains: readonly { readonly id: number }[]): readonly number[] => chains.map(({ id }) => id)

/** Each user has one key for all chains of a package. */
const createUsers = (chains: readonly KeyedChain[]): ReadonlyMap<ChainTesting, readonly TestKey[]> => {
  const kinds = new Set(chains.map(({ testing }) => testing))
  return new Map([...kinds].map((kind) => [kind, Array.from({ length: USERS }, () => kind.keyOf(newSecret()))]))
}

/** Every chain of the plans with its keys. */
const planChains = async (paths: SandboxPaths, plans: readonly ChainPlan[]): Promise<readonly PlannedChain[]> => {
  const load = async (plan: ChainPlan) => ({ plan, id: plan.id, testing: await chainTestingOf(plan) })
  const chains = await Promise.all(plans.map(load))
  const { chains: keys, seed } = createKeys(paths, chains)
  const users = createUsers(chains)
  return chains.flatMap(({ plan, testing }, at) => {
    const own = keys[at]
    return own === undefined ? [] : [{ plan, keys: own, seed, users: users.get(testing) ?? [] }]
  })
}

interface PlannedChain {
  readonly plan: ChainPlan
  readonly keys: ChainKeys
  /** Secret of deposit addresses. */
  readonly seed: Uint8Array
  readonly users: readonly TestKey[]
}

/** The last user of the chain whose dollar balances are kept in; wallets that have one are 20 bytes (wire.md 4.12). */
const sponsorOf = (chains: readonly RecordedChain[], planned: readonly PlannedChain[]): string | null => {
  const balances = balanceCurrencyOf(chains)
  const at = chains.findIndex(({ id }) => id === balances?.chainId)
  const address = planned[at]?.users.at(-1)?.address ?? null
  return address !== null && /^0x[0-9a-fA-F]{40}$/.test(address) ? address : null
}

const createSandbox = async (input: OpenSandboxInput): Promise<OpenedSandbox> => {
  const { paths, plans, variables, print, onProcess, onInner } = input
  rmSync(paths.hostLog, { force: true })
  const preparePostgres = async () => {
    const server = await startSandboxPostgres(paths, environmentOf(variables))
    const url = await createEmptyDatabase(server.url)
    print(`PostgreSQL is up on port ${server.port}`)
    return { url, port: server.port }
  }
  const prepareChain = async ({ plan, keys, seed, users }: PlannedChain) => {
    const chain = await startSandboxChain(paths, plan, {
      ...{ keys, seed, users, onProcess },
      ...(onInner === undefined ? {} : { onInner }),
    })
    print(`Chain ${plan.slug} (${plan.id}) is up, contracts deployed, accounts funded`)
    return chain
  }
  // A cluster is made by processes of its own, while this one loads what makes the chains.
  const preparing = preparePostgres()
  preparing.catch(() => undefined)
  try {
    const planned = await planChains(paths, plans)
    const chains = planned.map(prepareChain)
    // A failure waits for all, so that a stop finds everything that was started.
    await Promise.allSettled(chains)
    return finish(input, planned, { database: await preparing, chains: await Promise.all(chains) })
  } catch (error) {
    await preparing.catch(() => undefined)
    throw error
  }
}

/** Records a sandbox whose database and chains are up. */
const finish = (
  input: OpenSandboxInput,
  planned: readonly PlannedChain[],
  {
    database,
    chains,
  }: { readonly database: { readonly url: string; readonly port: number }; readonly chains: readonly RecordedChain[] },
): OpenedSandbox => {
  const { paths, port, print } = input
  const state: SandboxState = {
    supervisorPid: process.pid,
    hostPid: null,
    port,
    apiKey: '',
    databaseUrl: database.url,
    databasePort: database.port,
    chains,
    accounts: planned.flatMap(({ plan, users }) =>
      users.map(({ address, walletKey }) => ({ chainId: plan.id, address, privateKey: walletKey })),
    ),
    sponsor: sponsorOf(chains, planned),
  }
  // From here on a start after a crash knows what to end.
  writeState(paths, state)
  writeConfig(paths, chains, database.url)
  const apiKey = createDemoApiKey(paths, input).then((key) => {
    print('Tables and the demo API key are made')
    return key
  })
  return { state, apiKey }
}
