import type { Transaction } from 'bitcoinjs-lib'
import type { BitcoinAccount } from '../accounts.js'
import type { FeeRates } from '../mempool/feeRates.js'
import { broadcast } from '../node/broadcast.js'
import type { LocalNode } from '../node/localNode.js'
import { buildPayment } from '../node/localWallet.js'
import type { CoreMethod } from './coreMethods.js'
import type { BitcoinApi, BitcoinFault, Faults } from './faults.js'
import { numberOf, textOf } from './rpcParams.js'
import type { View } from './view.js'

export interface ControlParts {
  readonly node: LocalNode
  readonly miner: BitcoinAccount
  readonly fees: FeeRates
  readonly faults: Faults
  readonly views: Readonly<Record<BitcoinApi, View>>
}

/** Methods, beside Core's own, by which whoever runs a chain makes things happen there; each begins with `local_`. */
export const controlMethods = ({
  node,
  miner,
  fees,
  faults,
  views,
}: ControlParts): Readonly<Record<string, CoreMethod>> => ({
  /** Pays addresses out of the miner's coins, and mines that: `[[address, satoshis as text], ...]`. */
  local_fund: (payments) => {
    // CAST: read as text below.
    const outputs = (payments as readonly (readonly [unknown, unknown])[]).map(([to, value]) => ({
      to: textOf(to, 1),
      value: BigInt(textOf(value, 1)),
    }))
    const paid: Transaction = buildPayment(node, miner, outputs, { form: 'p2wpkh' })
    const id = broadcast(node, paid)
    node.mine(1)
    return id
  },
  local_mine: (count) => node.mine(numberOf(count, 1)).map(({ hash }) => hash),
  local_reorg: (depth, dropAll) => node.reorganize(numberOf(depth, 1), [], () => dropAll === true),
  local_lag: (blocks) => {
    for (const view of Object.values(views)) view.lag = numberOf(blocks, 1)
  },
  local_prune: (kept) => {
    const blocks = numberOf(kept, 1)
    for (const view of Object.values(views)) view.prunedBelow = blocks === 0 ? 0 : view.height - blocks + 1
  },
  // CAST: whoever controls the chain is a test of ours.
  local_fail: (fault) => faults.add(fault as BitcoinFault),
  local_setFeeRate: (rate) => fees.set({ 1: BigInt(textOf(rate, 1)) }),
})
