import type { CurrencyConfig } from '@causeway/core'
import { type ChainPlan, NATIVES, SOLVER_HOLDS, USER_HOLDS, wholeUnits } from './chainPlans.js'
import { callNode } from './rpcCall.js'
import type { ChainParties, StartedChain } from './sandboxChains.js'
import type { SandboxChain } from './sandboxState.js'

/** A Solana engine in a process of its own; deposits go to the account of its allocator key. */
export const startSvmChain = async (
  plan: ChainPlan,
  logPath: string,
  { keys, users, onProcess }: ChainParties,
): Promise<StartedChain> => {
  const { startLocalSvm } = await import('@causeway/chain-svm/testing')
  const chain = await startLocalSvm({ detached: true, logPath })
  const { pid, rpcUrl, wsUrl, genesisHash } = chain
  if (pid === null) throw new Error('The chain runs in no process of its own.')
  onProcess(pid)
  const prepare = async () => {
    const tokens: CurrencyConfig[] = []
    for (const { program, ...token } of plan.tokens) {
      const address = await chain.createToken({
        decimals: token.decimals,
        ...(program === undefined ? {} : { program }),
      })
      tokens.push({ ...token, address })
    }
    const native = NATIVES.svm
    const solver = { address: keys.payout.address, ...SOLVER_HOLDS }
    for (const holder of [solver, ...users.map((address) => ({ address, ...USER_HOLDS }))]) {
      await chain.fund(holder.address, wholeUnits(holder.native, native.decimals))
      for (const token of tokens) {
        await chain.fund(holder.address, wholeUnits(holder.token, token.decimals), token.address)
      }
    }
    const depository = keys.allocator.address
    return {
      pid,
      rpcUrl,
      wsUrl,
      genesisHash,
      depository,
      options: { depository, genesisHash, startSlot: 0, pollIntervalMs: 200 },
      currencies: [native, ...tokens],
    }
  }
  return { prepare, close: () => chain.close() }
}

/** Whether a recorded chain still runs and is the same one. */
export const isSameSvmChain = async (chain: SandboxChain): Promise<boolean> => {
  try {
    return (await callNode(chain.rpcUrl, 'getGenesisHash', [])) === chain.genesisHash
  } catch {
    return false
  }
}
