import { Block, script, Transaction } from 'bitcoinjs-lib'
import { GENESIS, TARGET_BITS } from './regtest.js'

/** What the next block is built from. */
export interface BlockPlan {
  /** Hash of the block before, as it stands in a header. */
  readonly previous: Uint8Array
  readonly height: number
  /** Unix seconds. */
  readonly time: number
  readonly payTo: Uint8Array
  /** Satoshis: the subsidy and the fees. */
  readonly reward: bigint
  readonly transactions: readonly Transaction[]
  /** Makes this block another than one of equal content. */
  readonly salt: Uint8Array
}

const COMMITMENT = Buffer.from('6a24aa21a9ed', 'hex')

/** A valid block: coinbase, witness commitment, merkle root and proof of work. */
export const buildBlock = (plan: BlockPlan): Block => {
  const block = new Block()
  block.version = 0x20000000
  block.prevHash = plan.previous
  block.timestamp = plan.time
  block.bits = TARGET_BITS
  const coinbase = buildCoinbase(plan)
  const transactions = [coinbase, ...plan.transactions]
  const commitment = coinbase.outs[1]
  if (commitment === undefined) throw new Error('the coinbase has no commitment')
  commitment.script = Buffer.concat([COMMITMENT, Block.calculateMerkleRoot(transactions, true)])
  block.transactions = transactions
  block.witnessCommit = commitment.script.subarray(COMMITMENT.length)
  block.merkleRoot = Block.calculateMerkleRoot(transactions)
  while (!block.checkProofOfWork()) block.nonce += 1
  return block
}

const buildCoinbase = ({ height, salt, payTo, reward }: BlockPlan): Transaction => {
  const tx = new Transaction()
  tx.version = 2
  tx.addInput(new Uint8Array(32), 0xffffffff, 0xffffffff, script.compile([script.number.encode(height), salt]))
  tx.addOutput(payTo, reward)
  tx.addOutput(Buffer.concat([COMMITMENT, new Uint8Array(32)]), 0n)
  tx.setWitness(0, [new Uint8Array(32)])
  return tx
}

/** The first block of every regtest. */
export const genesisBlock = (): Block => {
  const block = new Block()
  block.version = 1
  block.prevHash = new Uint8Array(32)
  block.timestamp = GENESIS.time
  block.bits = TARGET_BITS
  block.nonce = GENESIS.nonce
  block.transactions = [GENESIS.coinbase()]
  block.merkleRoot = Block.calculateMerkleRoot(block.transactions)
  if (block.getId() !== GENESIS.hash) throw new Error('the first block is not that of regtest')
  return block
}
