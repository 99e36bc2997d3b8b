import { randomInt } from 'node:crypto'
import {
  type ChainAccess,
  prepareDeposit,
  type QuoteSteps,
  type SignedDeposit,
  type TestWallet,
} from '@causeway/core/testing'
import type { Client, Transaction } from '@hashgraph/sdk'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { evmAddressOf } from './engine/rules/signatures.js'
import { HederaReader } from './hederaReader.js'

/** A deposit as a quote's step has it (chains.md hederavm 3). */
export interface TransferStep {
  readonly transfers: readonly {
    readonly accountId: string
    /** Decimal text. */
    readonly amount: string
    readonly tokenId?: string
  }[]
  readonly memo: string
}

/** A frozen transfer as a quote's step has it, in base64 (wire.md H.5). */
export interface FrozenStep {
  readonly transactionBytes: string
}

/** EVM address of a key of 32 bytes of hex. @throws Error for another key */
export const addressOfKey = (key: string): string => {
  if (!/^0x[0-9a-f]{64}$/i.test(key)) throw new Error('The key is not 32 bytes of hex')
  return `0x${evmAddressOf(secp256k1.getPublicKey(Buffer.from(key.slice(2), 'hex'), true))}`
}

/** A signed deposit may wait for its test. */
const VALID_SECONDS = 180
const SECOND = 1_000_000_000n
/** A transaction begins before the time that its nodes have. */
const MARGIN = SECOND

type Sdk = typeof import('@hashgraph/sdk')

/** A user's ECDSA key, whose EVM address is the alias of its account. */
export class HederaWallet implements TestWallet {
  readonly chain: HederaReader
  readonly address: string
  readonly #key: string

  constructor(access: ChainAccess, walletKey: string) {
    this.#key = walletKey
    this.address = addressOfKey(walletKey)
    this.chain = new HederaReader(access)
  }

  prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain.
    return prepareDeposit(steps, (data) => data as TransferStep | FrozenStep, {
      sign: (step) => this.#connected((client, sdk) => this.#sign(step, client, sdk)),
      send: (signed) => this.#connected(async (client) => (await signed.execute(client)).transactionId.toString()),
      feeOf: async (id) => {
        const { result, charged_tx_fee } = await this.chain.included(id)
        if (result === 'SUCCESS') return BigInt(charged_tx_fee)
        throw new Error(`Transaction ${id} failed: ${result}`)
      },
    })
  }

  async #sign(step: TransferStep | FrozenStep, client: Client, sdk: Sdk): Promise<Transaction> {
    const key = sdk.PrivateKey.fromStringECDSA(this.#key)
    if ('transactionBytes' in step) {
      return sdk.Transaction.fromBytes(Buffer.from(step.transactionBytes, 'base64')).sign(key)
    }
    return (await this.#transferOf(step, client, sdk)).sign(key)
  }

  async #transferOf({ transfers, memo }: TransferStep, client: Client, sdk: Sdk): Promise<Transaction> {
    const { Hbar, Long, Timestamp, TransactionId } = sdk
    const transaction = new sdk.TransferTransaction()
    for (const { accountId, amount, tokenId } of transfers) {
      if (tokenId === undefined) transaction.addHbarTransfer(accountId, Hbar.fromTinybars(amount))
      else transaction.addTokenTransfer(tokenId, accountId, Long.fromString(amount))
    }
    const start = (await this.chain.time()) - MARGIN + BigInt(randomInt(1_000_000))
    const validStart = new Timestamp(Number(start / SECOND), Number(start % SECOND))
    const payer = client.operatorAccountId ?? sdk.AccountId.fromString('0.0.0')
    transaction.setTransactionId(TransactionId.withValidStart(payer, validStart))
    transaction.setTransactionMemo(memo).setTransactionValidDuration(VALID_SECONDS)
    return transaction.freezeWith(client)
  }

  /** Runs a call with a client of the nodes that the mirror node names; the payer is this account. */
  async #connected<T>(use: (client: Client, sdk: Sdk) => Promise<T>): Promise<T> {
    // The SDK takes seconds to load.
    const sdk = await import('@hashgraph/sdk')
    const client = sdk.Client.forNetwork(await this.chain.nodes())
    try {
      const operator = await this.chain.accountId(this.address)
      return await use(client.setOperator(operator, sdk.PrivateKey.fromStringECDSA(this.#key)), sdk)
    } finally {
      client.close()
    }
  }
}
