import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import {
  Connection,
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type { Hex } from 'viem'
import { until } from '../harness/until.js'
import type { Quote } from './apiClient.js'
import type { SandboxChainInfo } from './sandboxProcess.js'
import type { Currency, DemoChain, SignedDeposit, Wallet } from './wallet.js'

/** Solana, read at its node with its own library. */
export class SvmDemoChain implements DemoChain {
  readonly id: number
  readonly name: string
  readonly depository: string
  readonly currencies: readonly Currency[]
  readonly unlisted: readonly Currency[]
  readonly nativeAddress = PublicKey.default.toBase58()
  readonly connection: Connection

  constructor(info: SandboxChainInfo) {
    this.id = info.id
    this.name = info.name
    this.depository = info.depository
    this.currencies = info.currencies
    this.unlisted = info.unlisted
    this.connection = new Connection(info.rpcUrl, { commitment: 'confirmed', wsEndpoint: info.wsUrl })
  }

  async balance(holder: string, { address }: Currency): Promise<bigint> {
    const owner = new PublicKey(holder)
    if (address === this.nativeAddress) return BigInt(await this.connection.getBalance(owner))
    const mint = new PublicKey(address)
    const program = (await this.connection.getAccountInfo(mint))?.owner
    const account = getAssociatedTokenAddressSync(mint, owner, true, program)
    if ((await this.connection.getAccountInfo(account)) === null) return 0n
    return BigInt((await this.connection.getTokenAccountBalance(account)).value.amount)
  }

  async succeeded(signature: string): Promise<boolean> {
    const { value } = await this.connection.getSignatureStatuses([signature])
    return value[0]?.err === null
  }

  freshAddress(): string {
    return Keypair.generate().publicKey.toBase58()
  }
}

/** The transaction of a quote's step, as a wallet gets it (wire.md A.5). */
interface StepTransaction {
  readonly instructions: readonly {
    readonly keys: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[]
    readonly programId: string
    readonly data: string
  }[]
}

/** One user's key on Solana. */
export class SvmWallet implements Wallet {
  readonly chain: SvmDemoChain
  readonly #keypair: Keypair

  constructor(chain: SvmDemoChain, privateKey: Hex) {
    this.chain = chain
    this.#keypair = Keypair.fromSeed(Buffer.from(privateKey.slice(2), 'hex'))
  }

  get address(): string {
    return this.#keypair.publicKey.toBase58()
  }

  async prepare({ steps }: Quote): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain (wire.md A.5).
    const transactions = steps.flatMap(({ items }) => items.map(({ data }) => data as StepTransaction))
    const [deposit, ...others] = transactions
    if (deposit === undefined || others.length > 0) throw new Error('The quote does not have one transaction to send')
    const { connection } = this.chain
    const signed = await this.#sign(deposit)
    let signature = ''
    return {
      send: async () => {
        const sentAt = performance.now()
        signature = await connection.sendRawTransaction(signed)
        return sentAt
      },
      gasPaid: () => this.#costOf(signature),
    }
  }

  async #sign({ instructions }: StepTransaction): Promise<Uint8Array> {
    const { blockhash } = await this.chain.connection.getLatestBlockhash()
    const message = new TransactionMessage({
      payerKey: this.#keypair.publicKey,
      recentBlockhash: blockhash,
      instructions: instructions.map(
        ({ keys, programId, data }) =>
          new TransactionInstruction({
            keys: keys.map(({ pubkey, ...flags }) => ({ pubkey: new PublicKey(pubkey), ...flags })),
            programId: new PublicKey(programId),
            data: Buffer.from(data, 'hex'),
          }),
      ),
    })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([this.#keypair])
    return transaction.serialize()
  }

  /** The network's fee. */
  #costOf(signature: string): Promise<bigint> {
    return until(`${signature} to be in a block`, async () => {
      const options = { maxSupportedTransactionVersion: 0, commitment: 'confirmed' } as const
      const found = await this.chain.connection.getTransaction(signature, options)
      if (found === null) return null
      if (found.meta === null || found.meta.err !== null) throw new Error(`Transaction ${signature} failed`)
      return BigInt(found.meta.fee)
    })
  }
}
