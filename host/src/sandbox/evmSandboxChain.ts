import type { CurrencyConfig, Hex } from '@causeway/core'
import { type ChainPlan, NATIVES, SOLVER_HOLDS, USER_HOLDS, wholeUnits } from './chainPlans.js'
import { callNode } from './rpcCall.js'
import type { ChainParties, StartedChain } from './sandboxChains.js'
import { openPools } from './sandboxPools.js'
import type { SandboxChain } from './sandboxState.js'

/** An EVM node in a process of its own. */
export const startEvmChain = async (
  plan: ChainPlan,
  logPath: string,
  { keys, users, onProcess }: ChainParties,
): Promise<StartedChain> => {
  const { startLocalChain, allowRouters } = await import('@causeway/chain-evm/testing')
  const chain = await startLocalChain({ chainId: plan.id, blockTimeSeconds: 1, detached: true, logPath })
  onProcess(chain.pid)
  const { allocator } = keys
  const prepare = async () => {
    const { depository, fillRouter, swapRouter } = await chain.deployContracts({
      owner: allocator.address,
      allocator: allocator.address,
    })
    const tokens: CurrencyConfig[] = []
    for (const token of plan.tokens) tokens.push({ ...token, address: await chain.deployToken(token) })
    const native = NATIVES.evm
    const solver = { address: keys.payout.address, ...SOLVER_HOLDS }
    for (const holder of [solver, ...users.map((address) => ({ address, ...USER_HOLDS }))]) {
      await chain.fund(holder.address, wholeUnits(holder.native, native.decimals))
      for (const token of tokens) {
        await chain.fund(holder.address, wholeUnits(holder.token, token.decimals), token.address)
      }
    }
    const held = tokens.map(({ address }) => address)
    // CAST: an address of this chain is hex text.
    const payer = { ...keys.payout, address: keys.payout.address as Hex }
    await allowRouters(chain, payer, { tokens: held, routers: [fillRouter, swapRouter] })
    const pools = await openPools(chain, { swapRouter, tokens, users })
    return {
      pid: chain.pid,
      rpcUrl: chain.rpcUrl,
      wsUrl: chain.wsUrl,
      genesisHash: await genesisHash(chain.rpcUrl, plan.id),
      depository,
      options: { depository, fillRouter, startBlock: 0, ...(pools === null ? {} : { swap: pools.swap }) },
      currencies: [native, ...tokens],
      unlisted: pools === null ? [] : [pools.token],
    }
  }
  return { prepare, close: () => chain.close() }
}

/** Hash of block 0, checked to be of the chain `chainId`. @throws when the node does not answer or is another one */
const genesisHash = async (rpcUrl: string, chainId: number): Promise<string> => {
  const hash: unknown = Reflect.get(Object(await callNode(rpcUrl, 'eth_getBlockByNumber', ['0x0', false])), 'hash')
  const id = await callNode(rpcUrl, 'eth_chainId', [])
  if (Number(id) !== chainId || typeof hash !== 'string') throw new Error('The node serves another chain.')
  return hash
}

/** Whether a recorded chain still runs and is the same one. */
export const isSameEvmChain = async (chain: SandboxChain): Promise<boolean> => {
  try {
    return (await genesisHash(chain.rpcUrl, chain.id)) === chain.genesisHash
  } catch {
    return false
  }
}
