import {
  type ChainAccess,
  type ChainReader,
  prepareDeposit,
  type QuoteSteps,
  type SignedDeposit,
  type TestWallet,
  until,
} from '@causeway/core/testing'
import {
  Connection,
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import { associatedAddress } from '../read/token/program/tokenPrograms.js'

/** Solana, read at its node with its own library. */
export class SvmReader implements ChainReader {
  readonly connection: Connection

  constructor({ endpoint: { http, ws } }: ChainAccess) {
    const websocket = ws === undefined ? {} : { wsEndpoint: ws }
    this.connection = new Connection(http, { commitment: 'confirmed', ...websocket })
  }

  async balance(holder: string, currency: string): Promise<bigint> {
    const owner = new PublicKey(holder)
    if (currency === NATIVE) return BigInt(await this.connection.getBalance(owner))
    const mint = new PublicKey(currency)
    const program = (await this.connection.getAccountInfo(mint))?.owner
    const account = associatedAddress(mint, owner, program)
    if ((await this.connection.getAccountInfo(account)) === null) return 0n
    return BigInt((await this.connection.getTokenAccountBalance(account)).value.amount)
  }

  async succeeded(transactionId: string): Promise<boolean> {
    const { value } = await this.connection.getSignatureStatuses([transactionId], { searchTransactionHistory: true })
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
  readonly addressLookupTableAddresses?: readonly string[]
}

/** One user's key on Solana. */
export class SvmWallet implements TestWallet {
  readonly #keypair: Keypair

  constructor(
    readonly chain: SvmReader,
    walletKey: string,
  ) {
    this.#keypair = Keypair.fromSeed(Buffer.from(walletKey.slice(2), 'hex'))
  }

  get address(): string {
    return this.#keypair.publicKey.toBase58()
  }

  prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain.
    return prepareDeposit(steps, (data) => data as StepTransaction, {
      sign: (transaction) => this.#sign(transaction),
      send: (signed) => this.chain.connection.sendRawTransaction(signed),
      feeOf: (signature) => this.#feeOf(signature),
    })
  }

  async #sign({ instructions, addressLookupTableAddresses = [] }: StepTransaction): Promise<Uint8Array> {
    const { connection } = this.chain
    const { blockhash } = await connection.getLatestBlockhash()
    const tables = await Promise.all(
      addressLookupTableAddresses.map(
        async (table) => (await connection.getAddressLookupTable(new PublicKey(table))).value,
      ),
    )
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
    const transaction = new VersionedTransaction(message.compileToV0Message(tables.filter((table) => table !== null)))
    transaction.sign([this.#keypair])
    return transaction.serialize()
  }

  /** The network's fee, once it is in a block. */
  #feeOf(signature: string): Promise<bigint> {
    return until(`${signature} to be in a block`, async () => {
      const options = { maxSupportedTransactionVersion: 0, commitment: 'confirmed' } as const
      const found = await this.chain.connection.getTransaction(signature, options)
      if (found === null) return null
      if (found.meta === null || found.meta.err !== null) throw new Error(`Transaction ${signature} failed`)
      return BigInt(found.meta.fee)
    })
  }
}
