import type { Arrival, BlockRef, Live } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { BitcoinNetwork } from '../address/networks.js'
import { addressOfScript } from '../address/scriptAddress.js'
import { soleOwner } from '../deposit/readDeposits.js'
import { COINBASE_MATURITY } from '../payout/coins/coin.js'
import { type ChainTransaction, outpointsIn } from '../rpc/chainTransaction.js'
import type { RawTransaction } from '../rpc/rawTransaction.js'
import type { Received, WaitingArrival } from './waitingArrivals.js'

const P2WPKH_BYTES = 22

/** What a transaction pays to live addresses, which are P2WPKH ones; empty outputs bring nothing. */
export const receivedBy = (
  { outputs }: Pick<RawTransaction, 'outputs'>,
  live: Pick<Live, 'has'>,
  network: BitcoinNetwork,
): readonly Received[] => {
  const received: Received[] = []
  for (const { script, value } of outputs) {
    if (value === 0n || script.length !== P2WPKH_BYTES || script[0] !== 0) continue
    const to = addressOfScript(script, network)
    if (to === null || !live.has(to)) continue
    received.push({ to, position: received.filter((other) => other.to === to).length, amount: value })
  }
  return received
}

/** What is known of a transaction that pays live addresses. `tip`: when it was seen waiting. */
export const waitingArrival = (
  transaction: ChainTransaction,
  received: readonly Received[],
  tip: bigint,
  network: BitcoinNetwork,
): WaitingArrival => {
  const { id, inputs, block } = transaction
  const isCoinbase = inputs.some(({ outpoint }) => outpoint === null)
  return {
    txId: id,
    received,
    sender: soleOwner(transaction, network),
    spent: outpointsIn(transaction),
    since: block?.height ?? tip,
    spendableAt: block === null ? null : block.height + (isCoinbase ? COINBASE_MATURITY : 1n) - 1n,
  }
}

/** What the host is told: included where there is a block, else as `state` says. */
export const arrivalsOf = (
  { txId, received, sender }: WaitingArrival,
  block: BlockRef | null,
  state: Exclude<Arrival['state'], 'included'> = 'seen',
): readonly Arrival[] =>
  received.map(({ to, position, amount }) => ({
    state: block === null ? state : 'included',
    tx: { id: txId },
    position,
    to: { address: to },
    money: { currency: NATIVE, amount },
    sender,
    block,
  }))
