import { publicKeyOf } from '@causeway/core/chain'
import type { QuoteSteps, SignedDeposit, TestWallet } from '@causeway/core/testing'
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

  async prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain.
    const transactions = steps.flatMap(({ items }) =>
      items.map(({ data }) => (data as { transaction: SubmittableTransaction }).transaction),
    )
    const deposit = transactions.pop()
    if (deposit === undefined) throw new Error('The quote has no transaction to send')
    const hashes: string[] = []
    for (const transaction of transactions) {
      const hash = await this.#send((await this.#sign(transaction)).tx_blob)
      await this.#feeOf(hash)
      hashes.push(hash)
    }
    const signed = await this.#sign(deposit)
    return {
      send: async () => {
        const hash = await this.#send(signed.tx_blob)
        hashes.push(hash)
        return hash
      },
      feesPaid: async () => {
        const fees = await Promise.all(hashes.map((hash) => this.#feeOf(hash)))
        return fees.reduce((sum, fee) => sum + fee, 0n)
      },
    }
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

  /** What it cost, once it is in a validated ledger; told by the stream of ledgers. @throws Error when it failed */
  #feeOf(hash: string): Promise<bigint> {
    return this.#connected(async (client) => {
      const found = await new Promise<string>((resolve, reject) => {
        const look = async () => {
          const transaction = await this.chain.transaction(hash)
          if (transaction?.validated !== true || typeof transaction.meta !== 'object') return
          resolve(transaction.meta.TransactionResult)
        }
        client.on('ledgerClosed', () => void look().catch(reject))
        client
          .request({ command: 'subscribe', streams: ['ledger'] })
          .then(look)
          .catch(reject)
      })
      const fee = await this.chain.fee(hash)
      if (fee === null) throw new Error(`Transaction ${hash} failed: ${found}`)
      return fee
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
