import {
  controlNode,
  LedgerHandle,
  type LedgerKind,
  type LocalChain,
  type LocalChainOptions,
  startLedger,
} from '@causeway/core/testing'
import type { ContractCallPlan, ContractPlan } from './openLocalTron.js'

/** Puts a contract on the network, in a block of its own. Returns its address. @throws Error if its constructor fails */
export const deployContract = ({ endpoint }: Pick<LocalChain, 'endpoint'>, plan: ContractPlan): Promise<string> =>
  controlNode(endpoint.http, 'deploy', plan)

/** A local Tron network. */
export class LocalTron extends LedgerHandle {
  /** Puts a contract on the network, in a block of its own. Returns its address. @throws Error if its constructor fails */
  deploy(plan: ContractPlan): Promise<string> {
    return deployContract(this, plan)
  }

  /** Calls a contract without a signature and fees, in a block of its own. Returns the transaction id. @throws Error if it fails */
  call(plan: ContractCallPlan): Promise<string> {
    return this.control('call', plan)
  }

  /** Gives an account bandwidth and energy of a day, as staked TRX does. */
  stake(address: string, { net = 0, energy = 0 }: { readonly net?: number; readonly energy?: number }): Promise<void> {
    return this.control('stake', address, net, energy)
  }

  /** Changes a chain parameter, such as `getEnergyFee`. */
  setParameter(name: string, value: number): Promise<void> {
    return this.control('setParameter', name, value)
  }

  /** Makes the calls of a contract dearer, as the network does with busy ones; in units of 1/10000. */
  setEnergyFactor(contract: string, factor: number): Promise<void> {
    return this.control('setEnergyFactor', contract, factor)
  }

  /** Number of blocks by which solidified blocks are behind the newest one; 19 by default. */
  setSolidityLag(blocks: number): Promise<void> {
    return this.control('setSolidityLag', blocks)
  }

  /** Nodes answer 401 to calls without this key in the header `TRON-PRO-API-KEY`. Null: no key is needed. */
  setApiKey(key: string | null): Promise<void> {
    return this.control('setApiKey', key)
  }

  /** Number of calls between two blocks above which nodes answer with the status 429. Null: no limit. */
  setLimit(most: number | null): Promise<void> {
    return this.control('setLimit', most)
  }
}

/** The module is loaded on first use: the virtual machine is an optional peer. */
export const LOCAL_TRON: LedgerKind<LocalTron> = {
  module: new URL('./openLocalTron.js', import.meta.url).href,
  open: async (options) => (await import('./openLocalTron.js')).open(options),
  blockMs: 1000,
  endpointAt: (port) => ({ http: `http://127.0.0.1:${port}` }),
  handle: (parts) => new LocalTron(parts),
}

/** Starts a local network on 127.0.0.1. @throws Error with the end of its log if it does not start */
export const startLocalTron = (options: LocalChainOptions): Promise<LocalTron> => startLedger(LOCAL_TRON, options)
