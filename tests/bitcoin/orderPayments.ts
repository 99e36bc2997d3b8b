import type { BitcoinNetwork } from './bitcoinNetwork.js'

/** A payment of the service that a block holds. */
export interface OrderPayment {
  readonly txId: string
  /** Takes deposits out of the depository, and pays nobody else. */
  readonly withdraws: boolean
}

/** Payments by the solver's key that carry an order id, in the blocks of the chain as it is now. */
export const paymentsOf = ({ bitcoin, solver, vault }: BitcoinNetwork, orderId: string): readonly OrderPayment[] => {
  const { chain } = bitcoin.node
  const wanted = Buffer.from(orderId, 'utf8')
  const blocks = Array.from({ length: chain.height + 1 }, (_, height) => chain.blockAt(height))
  return blocks
    .flatMap(({ transactions }) => transactions)
    .filter(({ tx }) => tx.outs.some(({ script }) => Buffer.from(script).includes(wanted)))
    .filter(({ spent }) => spent.some(({ script }) => Buffer.from(script).equals(solver.scripts.p2wpkh)))
    .map(({ txid, spent }) => ({
      txId: txid,
      withdraws: spent.some(({ script }) => Buffer.from(script).equals(vault.scripts.p2wpkh)),
    }))
}
