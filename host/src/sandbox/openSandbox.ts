import { mkdirSync, rmSync } from 'node:fs'
import { CHAIN_PLANS, type ChainPlan } from './chainPlans.js'
import { createDemoApiKey } from './demoApiKey.js'
import { endProcess, isProcess } from './processes.js'
import { isSameChain, startSandboxChain } from './sandboxChains.js'
import { writeConfig } from './sandboxConfig.js'
import { createEmptyDatabase, startSandboxPostgres } from './sandboxDatabase.js'
import { createKeys, newKey, type SandboxKey } from './sandboxKeys.js'
import type { SandboxPaths } from './sandboxPaths.js'
import { removeState, type SandboxState, writeState } from './sandboxState.js'

const USERS = 5
const GRACE_MS = 20_000

export interface OpenSandboxInput {
  readonly paths: SandboxPaths
  readonly port: number
  /** What an earlier supervisor left, or null. */
  readonly before: SandboxState | null
  print(line: string): void
  /** Told of each chain's process as soon as there is one, so that a stop in between ends it. */
  onProcess(pid: number): void
}

/** What stands in the command line of each kind of chain. */
const PROCESS_WORDS: Readonly<Record<ChainPlan['vmType'], string>> = {
  evm: 'anvil',
  svm: 'localSvmProcess',
  bvm: 'localBitcoinProcess',
}

/** Ends the recorded host and chains, those that are still there. */
export const endRecorded = async (state: SandboxState): Promise<void> => {
  if (state.hostPid !== null && isProcess(state.hostPid, 'causeway')) await endProcess(state.hostPid, GRACE_MS)
  const chains = state.chains.filter(({ pid, vmType }) => isProcess(pid, PROCESS_WORDS[vmType]))
  await Promise.all(chains.map(({ pid }) => endProcess(pid, GRACE_MS)))
}

/**
 * The database and chains: the recorded ones when every chain is still there and the same, else new ones, both together: a
 * database that remembers deposits of a chain that is gone would be of no use.
 */
export const openSandbox = async (input: OpenSandboxInput): Promise<SandboxState> => {
  const { paths, before, port, print } = input
  mkdirSync(paths.home, { recursive: true })
  if (before !== null) {
    const same = await Promise.all(before.chains.map(isSameChain))
    if (same.length === CHAIN_PLANS.length && !same.includes(false)) {
      print(`Taking on the chains that still run: ${before.chains.map(({ name }) => name).join(', ')}`)
      const postgres = await startSandboxPostgres(paths, before.databasePort)
      print(`PostgreSQL is ${postgres.adopted ? 'taken on' : 'up again'}`)
      return { ...before, supervisorPid: process.pid, port }
    }
    print('A chain of the earlier sandbox is gone: starting anew with empty chains and an empty database')
    await endRecorded(before)
  }
  removeState(paths)
  return createSandbox(input)
}

/** Each user has one key for all chains of a kind. */
const createUsers = async (): Promise<Readonly<Record<ChainPlan['vmType'], readonly SandboxKey[]>>> => {
  const make = (vmType: ChainPlan['vmType']) => Promise.all(Array.from({ length: USERS }, () => newKey(vmType)))
  return { evm: await make('evm'), svm: await make('svm'), bvm: await make('bvm') }
}

const createSandbox = async ({ paths, port, print, onProcess }: OpenSandboxInput): Promise<SandboxState> => {
  rmSync(paths.hostLog, { force: true })
  const keys = await createKeys(paths, CHAIN_PLANS)
  const users = await createUsers()
  const preparePostgres = async () => {
    const server = await startSandboxPostgres(paths)
    const url = await createEmptyDatabase(server.url)
    print(`PostgreSQL is up on port ${server.port}`)
    return { url, port: server.port }
  }
  const prepareChains = () =>
    Promise.all(
      CHAIN_PLANS.map(async (plan, at) => {
        const own = keys[at]
        if (own === undefined) throw new Error(`No keys for ${plan.slug}`)
        const addresses = users[plan.vmType].map(({ address }) => address)
        const chain = await startSandboxChain(paths, plan, { keys: own, users: addresses, onProcess })
        print(`Chain ${plan.slug} (${plan.id}) is up, contracts deployed, accounts funded`)
        return chain
      }),
    )
  const [database, chains] = await Promise.all([preparePostgres(), prepareChains()])
  const state: SandboxState = {
    supervisorPid: process.pid,
    hostPid: null,
    port,
    apiKey: '',
    databaseUrl: database.url,
    databasePort: database.port,
    chains,
    accounts: chains.flatMap(({ id, vmType }) =>
      users[vmType].map(({ address, privateKey, walletKey = privateKey }) => ({
        chainId: id,
        address,
        privateKey: walletKey,
      })),
    ),
  }
  // From here on a start after a crash knows what to end.
  writeState(paths, state)
  writeConfig(paths, chains, database.url)
  const apiKey = await createDemoApiKey(paths)
  print('Tables and the demo API key are made')
  return { ...state, apiKey }
}
