import {
  Keypair,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { memoInstruction } from '../payout/memo/memoInstruction.js'
import { type LocalSvmAccount, type LocalSvmChain, type LocalSvmOptions, startLocalSvm } from './node/localSvm.js'

export const [alice, bob] = [0, 1] as const

export const fresh = (): PublicKey => Keypair.generate().publicKey

export const pay = (from: LocalSvmAccount, to: PublicKey, lamports: number): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: from.keypair.publicKey, toPubkey: to, lamports })

export const memo = memoInstruction

/** A local chain whose slots pass on demand, with what tests of it need. */
export const startTestedChain = async (options: LocalSvmOptions = {}) => {
  const chain: LocalSvmChain = await startLocalSvm({ slotMs: 0, ...options })
  const account = (at: number): LocalSvmAccount => {
    const found = chain.accounts[at]
    if (found === undefined) throw new Error(`no account ${at}`)
    return found
  }
  return {
    chain,
    account,
    read: (signature: string) =>
      chain.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0, commitment: 'confirmed' }),
    /** Signed bytes that are not sent yet. */
    sign: async (instructions: readonly TransactionInstruction[], from = account(alice)) => {
      const { blockhash, lastValidBlockHeight } = await chain.connection.getLatestBlockhash()
      const payerKey = from.keypair.publicKey
      const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions: [...instructions] })
      const transaction = new VersionedTransaction(message.compileToV0Message())
      transaction.sign([from.keypair])
      return { bytes: transaction.serialize(), blockhash, lastValidBlockHeight }
    },
  }
}

export type TestedChain = Awaited<ReturnType<typeof startTestedChain>>
