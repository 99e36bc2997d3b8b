import { type ChainPlan, NATIVES, wholeUnits } from './chainPlans.js'
import { callNode } from './rpcCall.js'
import type { ChainParties, StartedChain } from './sandboxChains.js'
import type { SandboxChain } from './sandboxState.js'

const BLOCK_MS = 1000
/** Whole bitcoins of each coin, and how many coins: payouts that wait for a block each need one. */
const SOLVER_COIN = 5n
const SOLVER_COINS = 20
const USER_HOLDS = 10n

/** A Bitcoin node of regtest's rules in a process of its own; deposits go to the address of its allocator key. */
export const startBvmChain = async (
  _plan: ChainPlan,
  logPath: string,
  { keys, users, onProcess }: ChainParties,
): Promise<StartedChain> => {
  const { startDetachedBitcoin } = await import('@causeway/chain-bvm/testing')
  const chain = await startDetachedBitcoin({ blockMs: BLOCK_MS, logPath })
  onProcess(chain.pid)
  const prepare = async () => {
    const native = NATIVES.bvm
    const coin = { address: keys.payout.address, value: wholeUnits(SOLVER_COIN, native.decimals) }
    await chain.fund([
      ...Array.from({ length: SOLVER_COINS }, () => coin),
      ...users.map((address) => ({ address, value: wholeUnits(USER_HOLDS, native.decimals) })),
    ])
    const depository = keys.allocator.address
    return {
      pid: chain.pid,
      rpcUrl: chain.url,
      wsUrl: '',
      // Every chain of regtest begins with the same block; the one after it is its own.
      genesisHash: await chain.blockHash(1),
      depository,
      options: { depository, network: 'regtest', startHeight: 0, pollIntervalMs: 200 },
      currencies: [native],
    }
  }
  return { prepare, close: () => chain.close() }
}

/** Whether a recorded chain still runs and is the same one. */
export const isSameBvmChain = async (chain: SandboxChain): Promise<boolean> => {
  try {
    return (await callNode(`${chain.rpcUrl}/rpc`, 'getblockhash', [1])) === chain.genesisHash
  } catch {
    return false
  }
}
