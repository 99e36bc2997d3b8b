import { readFileSync, rmSync } from 'node:fs'
import type { LocalDeployment, SandboxChain } from '@causeway/core/testing'
import { writePrivateJson } from './privateFile.js'
import type { SandboxPaths } from './sandboxPaths.js'

/** A user of the sandbox, funded on the chain. */
export interface SandboxAccount {
  readonly chainId: number
  readonly address: string
  /** As wallets of the chain take it in: hex, on Bitcoin WIF. */
  readonly privateKey: string
}

/** A running local chain with what it was made with. */
export interface RecordedChain
  extends LocalDeployment,
    Pick<SandboxChain, 'allocator' | 'processWord' | 'sendsForUsers'> {
  readonly id: number
  readonly name: string
  /** Of its chain package. */
  readonly package: string
  /** As in the plan of the chain. */
  readonly testing?: string
  readonly vmType: string
  /** Null: the chain runs in the supervisor. */
  readonly pid: number | null
  readonly rpcUrl: string
  /** Empty where the chain has none. */
  readonly wsUrl: string
  readonly genesisHash: string
}

/** What the supervisor remembers between starts, also after it was killed. */
export interface SandboxState {
  readonly supervisorPid: number
  readonly hostPid: number | null
  readonly port: number
  readonly apiKey: string
  readonly databaseUrl: string
  readonly databasePort: number
  readonly chains: readonly RecordedChain[]
  readonly accounts: readonly SandboxAccount[]
  /** Wallet of the demo key's integrator, by the address of its account; null: no balances are kept, or none of its chains has such wallets. */
  readonly sponsor: string | null
  /** Hosts that were started, the first included; absent: none yet. */
  readonly hostStarts?: { readonly count: number; readonly lastAt: string }
}

/** The state with the host's process in it, counted when it is another than before. */
export const withHost = (state: SandboxState, hostPid: number, now: Date): SandboxState => {
  if (hostPid === state.hostPid) return state
  const count = (state.hostStarts?.count ?? 0) + 1
  return { ...state, hostPid, hostStarts: { count, lastAt: now.toISOString() } }
}

/** The state of an earlier start, or null; a file that makes no sense counts as none. */
export const readState = (paths: SandboxPaths): SandboxState | null => {
  try {
    // CAST: only this module writes the file.
    const state = JSON.parse(readFileSync(paths.state, 'utf8')) as SandboxState
    return Array.isArray(state.chains) && typeof state.databaseUrl === 'string' ? state : null
  } catch {
    return null
  }
}

export const writeState = (paths: SandboxPaths, state: SandboxState): void => writePrivateJson(paths.state, state)

/** Publishes sandbox.json, for people and tests; it stands there only while the sandbox can be used. */
export const writeInfo = (paths: SandboxPaths, state: SandboxState): void =>
  writePrivateJson(paths.info, {
    baseUrl: baseUrlOf(state.port),
    apiKey: state.apiKey,
    databaseUrl: state.databaseUrl,
    configPath: paths.config,
    hostPid: state.hostPid,
    chains: state.chains.map(({ id, name, vmType, rpcUrl, wsUrl, depository, currencies, unlisted }) => ({
      id,
      name,
      vmType,
      rpcUrl,
      wsUrl,
      depository,
      currencies,
      unlisted,
    })),
    accounts: state.accounts,
    sponsor: state.sponsor,
  })

export const baseUrlOf = (port: number): string => `http://127.0.0.1:${port}`

export const removeInfo = (paths: SandboxPaths): void => rmSync(paths.info, { force: true })

export const removeState = (paths: SandboxPaths): void => {
  removeInfo(paths)
  rmSync(paths.state, { force: true })
}
