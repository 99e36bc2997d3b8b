import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type ChainAccess,
  type ChainTesting,
  type LocalChain,
  loadChainTesting,
  type TestKey,
} from '@causeway/core/testing'
import type { ChainPlan } from './chainPlans.js'
import { SandboxError } from './sandboxError.js'
import type { ChainKeys } from './sandboxKeys.js'
import type { SandboxPaths } from './state/sandboxPaths.js'
import type { RecordedChain } from './state/sandboxState.js'

/** How long a chain that runs may take to say which one it is. */
const PATIENCE_MS = 10_000

/** What a chain of the sandbox is made with. */
export interface ChainParties {
  readonly keys: ChainKeys
  readonly seed: Uint8Array
  readonly users: readonly TestKey[]
  /** Receives the process of the chain as soon as it exists. */
  onProcess(pid: number): void
  /** Receives a chain without a process, which ends with the supervisor. Absent: such a chain is refused. */
  onInner?(chain: LocalChain): void
}

/** The local chains of a chain package. @throws Error when it has none, or is not installed */
export const chainTestingOf = ({
  package: name,
  testing,
}: Pick<ChainPlan, 'package' | 'testing'>): Promise<ChainTesting> =>
  loadChainTesting(name, (specifier) => import(testing ?? specifier))

/** Starts a local chain that outlives this process, deploys what it needs, funds solver and users. @throws SandboxError */
export const startSandboxChain = async (
  paths: SandboxPaths,
  plan: ChainPlan,
  parties: ChainParties,
): Promise<RecordedChain> => {
  const testing = await chainTestingOf(plan)
  const logPath = paths.chainLog(plan.slug)
  rmSync(logPath, { force: true })
  const chain = await testing.startLocalChain({ chainId: plan.id, detached: true, logPath })
  try {
    return await prepareChain(testing, chain, plan, parties)
  } catch (error) {
    await chain.close()
    throw new SandboxError(`The local chain ${plan.slug} could not be prepared; its log is ${logPath}.`, {
      cause: error,
    })
  }
}

const prepareChain = async (
  { vmType, sandbox }: ChainTesting,
  chain: LocalChain,
  plan: ChainPlan,
  { keys, seed, users, onProcess, onInner }: ChainParties,
): Promise<RecordedChain> => {
  const { pid, endpoint } = chain
  if (pid !== null) onProcess(pid)
  else if (onInner !== undefined) onInner(chain)
  else throw new Error('The chain runs in no process of its own.')
  const addresses = users.map(({ address }) => address)
  const deployment = await sandbox.deploy(chain, { ...plan, ...keys, seed, users: addresses })
  return {
    id: plan.id,
    name: plan.slug,
    package: plan.package,
    ...(plan.testing === undefined ? {} : { testing: plan.testing }),
    vmType,
    allocator: sandbox.allocator,
    ...(sandbox.sendsForUsers === undefined ? {} : { sendsForUsers: sandbox.sendsForUsers }),
    pid,
    processWord: sandbox.processWord,
    rpcUrl: endpoint.http,
    wsUrl: endpoint.ws ?? '',
    genesisHash: await chain.genesisHash(),
    ...deployment,
  }
}

/** Whether every recorded chain still runs and is the same one. @throws Error when a package of theirs has no local chain any more */
export const areSameChains = async (recorded: readonly RecordedChain[]): Promise<boolean> => {
  // All of them before the clock runs: on a busy machine loading takes longer than the answers of chains.
  const kinds = await Promise.all(recorded.map(chainTestingOf))
  const late = delay(PATIENCE_MS, false, { ref: false })
  const serving = kinds.map((testing, at) => {
    const chain = recorded[at]
    return chain === undefined ? false : Promise.race([late, serves(testing, chain)]).catch(() => false)
  })
  return !(await Promise.all(serving)).includes(false)
}

/** Where users reach a chain of the sandbox. */
export const accessOf = ({ id, rpcUrl, wsUrl }: RecordedChain): ChainAccess => ({
  chainId: id,
  endpoint: { http: rpcUrl, ...(wsUrl === '' ? {} : { ws: wsUrl }) },
})

const serves = async ({ adoptLocalChain }: ChainTesting, recorded: RecordedChain): Promise<boolean> => {
  const chain = await adoptLocalChain({ ...accessOf(recorded), pid: recorded.pid })
  return (await chain.genesisHash()) === recorded.genesisHash
}
