import { createHash } from 'node:crypto'
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import type { WireTransaction } from '../bank/wireTransaction.js'
import type { LocalNode } from './localNode.js'

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const FEES = 1_000_000_000n

/** Gives out lamports by transactions, as the faucet of a test network does. */
export class Faucet {
  readonly #node: LocalNode
  readonly #keypair = Keypair.fromSeed(createHash('sha256').update('causeway local faucet').digest())
  #count = 0

  constructor(node: LocalNode) {
    this.#node = node
  }

  /** A signed transfer; its memo makes equal ones differ. */
  transfer(address: string, lamports: number): WireTransaction {
    const { publicKey } = this.#keypair
    const { bank, slots } = this.#node
    this.#count += 1
    bank.mint(publicKey.toBase58(), BigInt(lamports) + FEES)
    const message = new TransactionMessage({
      payerKey: publicKey,
      recentBlockhash: slots.newestBlock('confirmed').blockhash,
      instructions: [
        SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: new PublicKey(address), lamports }),
        { keys: [], programId: MEMO, data: Buffer.from(`airdrop ${this.#count}`) },
      ],
    }).compileToV0Message()
    const transaction = new VersionedTransaction(message)
    transaction.sign([this.#keypair])
    return bank.decode(Buffer.from(transaction.serialize()))
  }
}
