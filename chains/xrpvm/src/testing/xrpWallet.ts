import { publicKeyOf } from '@causeway/core/chain'
import { prepareDeposit, type QuoteSteps, type SignedDeposit, type TestWallet, until } from '@causeway/core/testing'
import { Client, type SubmittableTransaction, Wallet } from 'xrpl'
import type { XrpReader } from './xrpReader.js'

/** A wallet of 32 bytes of hex with `0x`, used as they are. @throws Error when they are no key */
const walletOf = (key: string): Wallet => {
  if (!/^0x[0-9a-f]{64}$/i.test(key)) throw new Error('The key is not 32 bytes of hex')
  const secret = Buffer.from(key.slice(2), 'hex')
  const publicKey = Buffer.from(publicKeyOf(secret, true)).toString('hex')
  return new Wallet(publicKey.toUpperCase(), `00${secret.toString('hex').toUpperCase()}`)
}

/** A local ledger closes faster than a real one, and a signed deposit may wait for its test. */
const MORE_LEDGERS = 1000

/** One user's key on the XRP Ledger. */
export class XrpWallet implements TestWallet {
  readonly #wallet: Wallet

  constructor(
    readonly chain: XrpReader,
    walletKey: string,
  ) {
    this.#wallet = walletOf(walletKey)
  }

  get address(): string {
    return this.#wallet.classicAddress
  }

  prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain.
    const transactionOf = (data: unknown) => (data as { transaction: SubmittableTransaction }).transaction
    return prepareDeposit(steps, transactionOf, {
      sign: async (transaction) => (await this.#sign(transaction)).tx_blob,
      send: (blob) => this.#send(blob),
      feeOf: (hash) =>
        until(`${hash} to be validated`, async () => {
          const found = await this.chain.transaction(hash)
          if (found?.validated !== true || typeof found.meta !== 'object') return null
          const { TransactionResult } = found.meta
          if (TransactionResult === 'tesSUCCESS') return BigInt(found.tx_json.Fee ?? 0)
          throw new Error(`Transaction ${hash} failed: ${TransactionResult}`)
        }),
    })
  }

  #sign(transaction: SubmittableTransaction): Promise<{ readonly tx_blob: string }> {
    return this.#connected(async (client) => {
      const filled = await client.autofill(transaction)
      const LastLedgerSequence = (filled.LastLedgerSequence ?? 0) + MORE_LEDGERS
      return this.#wallet.sign({ ...filled, LastLedgerSequence })
    })
  }

  #send(blob: string): Promise<string> {
    return this.#connected(async (client) => {
      const { result } = await client.submit(blob)
      if (result.accepted && result.tx_json.hash !== undefined) return result.tx_json.hash
      throw new Error(`The server refuses the transaction: ${result.engine_result}`)
    })
  }

  async #connected<T>(use: (client: Client) => Promise<T>): Promise<T> {
    const { http, ws = http.replace(/^http/, 'ws') } = this.chain.access.endpoint
    const client = new Client(ws)
    await client.connect()
    try {
      return await use(client)
    } finally {
      await client.disconnect()
    }
  }
}
