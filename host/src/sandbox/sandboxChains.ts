import { rmSync } from 'node:fs'
import type { CurrencyConfig } from '@causeway/core'
import { SandboxError } from './sandboxError.js'
import { addressOfKey, type SandboxKeys } from './sandboxKeys.js'
import type { SandboxPaths } from './sandboxPaths.js'
import type { SandboxAccount, SandboxChain } from './sandboxState.js'

/** A chain to be made. The second token has other decimals on each, so that mistakes with them show. */
export interface ChainPlan {
  readonly id: number
  readonly slug: string
  readonly tokens: readonly {
    readonly symbol: string
    readonly name: string
    readonly decimals: number
    readonly groupId: string
  }[]
}

const usdc = { symbol: 'USDC', name: 'Sandbox dollar', decimals: 6, groupId: 'usdc' }
const tide = { symbol: 'TIDE', name: 'Sandbox tide', groupId: 'tide' }

export const CHAIN_PLANS: readonly ChainPlan[] = [
  { id: 71_001, slug: 'harbor', tokens: [usdc, { ...tide, decimals: 18 }] },
  { id: 71_002, slug: 'lagoon', tokens: [usdc, { ...tide, decimals: 6 }] },
]

/** Dollars by group, as the price file holds them. */
export const SANDBOX_PRICES: Readonly<Record<string, string>> = { eth: '3000', usdc: '1', tide: '2.5' }

const NATIVE: CurrencyConfig = {
  address: `0x${'0'.repeat(40)}`,
  symbol: 'ETH',
  name: 'Ether',
  decimals: 18,
  groupId: 'eth',
}

const SOLVER_HOLDS = { native: 1_000n, token: 1_000_000n }
const USER_HOLDS = { native: 100n, token: 10_000n }

const wholeUnits = (amount: bigint, decimals: number): bigint => amount * 10n ** BigInt(decimals)

export interface ChainParties {
  readonly keys: SandboxKeys
  readonly users: readonly Omit<SandboxAccount, 'chainId'>[]
  onProcess(pid: number): void
}

/** Starts a local chain that outlives this process, deploys the contracts and tokens, funds solver and users. */
export const startSandboxChain = async (
  paths: SandboxPaths,
  plan: ChainPlan,
  payoutKey: `0x${string}`,
  { keys, users, onProcess }: ChainParties,
): Promise<SandboxChain> => {
  const { startLocalChain } = await import('@causeway/chain-evm/testing')
  const logPath = paths.chainLog(plan.slug)
  rmSync(logPath, { force: true })
  const chain = await startLocalChain({ chainId: plan.id, blockTimeSeconds: 1, detached: true, logPath })
  onProcess(chain.pid)
  try {
    const allocator = addressOfKey(keys.allocator)
    const contracts = await chain.deployContracts({ owner: allocator, allocator })
    const tokens: CurrencyConfig[] = []
    for (const token of plan.tokens) tokens.push({ ...token, address: await chain.deployToken(token) })
    const solver = { address: addressOfKey(payoutKey), ...SOLVER_HOLDS }
    for (const holder of [solver, ...users.map(({ address }) => ({ address, ...USER_HOLDS }))]) {
      await chain.fund(holder.address, wholeUnits(holder.native, NATIVE.decimals))
      for (const token of tokens) {
        await chain.fund(holder.address, wholeUnits(holder.token, token.decimals), token.address)
      }
    }
    return {
      id: plan.id,
      name: plan.slug,
      pid: chain.pid,
      rpcUrl: chain.rpcUrl,
      wsUrl: chain.wsUrl,
      genesisHash: await genesisHash(chain.rpcUrl, plan.id),
      ...contracts,
      currencies: [NATIVE, ...tokens],
    }
  } catch (error) {
    await chain.close()
    throw new SandboxError(`The local chain ${plan.slug} could not be prepared; its log is ${logPath}.`, {
      cause: error,
    })
  }
}

const RPC_PATIENCE_MS = 3_000

/** Hash of block 0, checked to be of the chain `chainId`. @throws when the node does not answer or is another one */
const genesisHash = async (rpcUrl: string, chainId: number): Promise<string> => {
  const calls = [
    { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
    { jsonrpc: '2.0', id: 2, method: 'eth_getBlockByNumber', params: ['0x0', false] },
  ]
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
    signal: AbortSignal.timeout(RPC_PATIENCE_MS),
  })
  // CAST: anything else ends in the refusal below.
  const answers = (await response.json()) as readonly { id: number; result?: unknown }[]
  const result = (id: number): unknown => answers.find((answer) => answer.id === id)?.result
  const hash: unknown = Reflect.get(Object(result(2)), 'hash')
  if (Number(result(1)) !== chainId || typeof hash !== 'string') throw new Error('The node serves another chain.')
  return hash
}

/** Whether a recorded chain still runs and is the same one. */
export const isSameChain = async (chain: SandboxChain): Promise<boolean> => {
  try {
    return (await genesisHash(chain.rpcUrl, chain.id)) === chain.genesisHash
  } catch {
    return false
  }
}
