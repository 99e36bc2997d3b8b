import type { Controls } from '@causeway/core/testing'
import type { BitcoinAccount } from '../accounts.js'
import type { FeeRates } from '../mempool/feeRates.js'
import { broadcast } from '../node/broadcast.js'
import type { LocalNode } from '../node/localNode.js'
import { buildPayment } from '../node/localWallet.js'
import type { BitcoinApi, BitcoinFault, Faults } from './faults.js'
import type { View } from './view.js'

export interface ControlParts {
  readonly chainId: number
  readonly node: LocalNode
  readonly miner: BitcoinAccount
  readonly fees: FeeRates
  readonly faults: Faults
  readonly views: Readonly<Record<BitcoinApi, View>>
}

/** A payment of satoshis as text. */
interface Paid {
  readonly address: string
  readonly value: string
}

/** Controls of the chain. */
export const controlMethods = ({ chainId, node, miner, fees, faults, views }: ControlParts): Controls => {
  /** Pays addresses out of the miner's coins, and mines that. */
  const pay = (payments: readonly Paid[]) => {
    const outputs = payments.map(({ address, value }) => ({ to: address, value: BigInt(value) }))
    broadcast(node, buildPayment(node, miner, outputs, { form: 'p2wpkh' }))
    node.mine(1)
  }
  return {
    chainId: () => chainId,
    // Every chain of regtest begins with the same block; the one after it is its own.
    genesis: () => node.chain.blockAt(1).hash,
    height: () => views.rpc.height,
    fund: (address: string, value: string) => pay([{ address, value }]),
    pay,
    advance: (count: number) => void node.mine(count),
    reorg: (depth: number) => node.reorganize(depth, [], () => true),
    show: ({ lag, kept }: { readonly lag?: number; readonly kept?: number }) => {
      for (const view of Object.values(views)) {
        if (lag !== undefined) view.lag = lag
        if (kept !== undefined) view.prunedBelow = kept === 0 ? 0 : view.height - kept + 1
      }
    },
    fail: (fault: BitcoinFault) => faults.add(fault),
    setFeeRate: (rate: string) => fees.set({ 1: BigInt(rate) }),
  }
}
