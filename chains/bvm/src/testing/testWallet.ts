import { randomBytes } from 'node:crypto'
import { type ChainReader, type QuoteSteps, type SignedDeposit, type TestWallet, until } from '@causeway/core/testing'
import { Psbt } from 'bitcoinjs-lib'
import { accountOf, accountOfWif, type BitcoinAccount } from './accounts.js'
import { REGTEST } from './chain/regtest.js'

const BLOCK_PATIENCE_MS = 30_000
/** Satoshis. */
const [PAYMENT_FEE, DUST] = [2000n, 546n]

interface TestCoin {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
}

/** A Bitcoin chain, read at its node's Esplora. */
export class BitcoinReader implements ChainReader {
  /** `url`: Esplora's REST. */
  constructor(readonly url: string) {}

  async balance(holder: string): Promise<bigint> {
    const response = await fetch(`${this.url}/address/${holder}`)
    // CAST: Esplora's own answer.
    const { chain_stats: stats } = (await response.json()) as {
      readonly chain_stats: { readonly funded_txo_sum: number; readonly spent_txo_sum: number }
    }
    return BigInt(stats.funded_txo_sum) - BigInt(stats.spent_txo_sum)
  }

  async succeeded(transactionId: string): Promise<boolean> {
    return (await this.feeOf(transactionId)) !== null
  }

  /** Satoshis that a transaction paid the network; null while it is in no block. */
  async feeOf(transactionId: string): Promise<bigint | null> {
    const response = await fetch(`${this.url}/tx/${transactionId}`)
    if (!response.ok) return null
    // CAST: Esplora's own answer.
    const { fee, status } = (await response.json()) as {
      readonly fee: number
      readonly status: { readonly confirmed: boolean }
    }
    return status.confirmed ? BigInt(fee) : null
  }

  /** What an address can spend, in blocks, the largest first. */
  async coins(address: string): Promise<readonly TestCoin[]> {
    const response = await fetch(`${this.url}/address/${address}/utxo`)
    // CAST: Esplora's own answer.
    const coins = (await response.json()) as readonly {
      readonly txid: string
      readonly vout: number
      readonly value: number
      readonly status: { readonly confirmed: boolean }
    }[]
    return coins
      .filter(({ status }) => status.confirmed)
      .map(({ txid, vout, value }) => ({ txid, vout, value: BigInt(value) }))
      .sort((left, right) => Number(right.value - left.value))
  }

  /** Sends a transaction, as hex. Returns its id. @throws Error with the node's words when it is refused */
  async send(transaction: string): Promise<string> {
    const response = await fetch(`${this.url}/tx`, { method: 'POST', body: transaction })
    const text = await response.text()
    if (!response.ok) throw new Error(`The transaction was refused: ${text}`)
    return text.trim()
  }

  freshAddress(): string {
    return accountOf(randomBytes(32)).addresses.p2tr
  }
}

/** One user's key on a Bitcoin chain. */
export class BitcoinWallet implements TestWallet {
  readonly #account: BitcoinAccount

  constructor(
    readonly chain: BitcoinReader,
    wif: string,
  ) {
    this.#account = accountOfWif(wif)
  }

  get address(): string {
    return this.#account.addresses.p2wpkh
  }

  /** A plain payment of satoshis, as a wallet makes it that knows nothing of this service. Returns its id; it waits for a block. */
  async pay(to: string, amount: bigint): Promise<string> {
    const { addresses, scripts, key } = this.#account
    const coins = await this.chain.coins(addresses.p2wpkh)
    const psbt = new Psbt({ network: REGTEST })
    let left = -amount - PAYMENT_FEE
    for (const { txid: hash, vout: index, value } of coins) {
      if (left >= 0n) break
      psbt.addInput({ hash, index, witnessUtxo: { script: scripts.p2wpkh, value } })
      left += value
    }
    if (left < 0n) throw new Error(`The wallet lacks ${-left} satoshis`)
    psbt.addOutput({ address: to, value: amount })
    if (left >= DUST) psbt.addOutput({ script: scripts.p2wpkh, value: left })
    return this.chain.send(psbt.signAllInputs(key).finalizeAllInputs().extractTransaction().toHex())
  }

  async prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain (wire.md A.5).
    const [deposit, ...others] = steps.flatMap(({ items }) =>
      items.map(({ data }) => data as { readonly psbt: string }),
    )
    if (deposit === undefined || others.length > 0) throw new Error('The quote does not have one transaction to send')
    const psbt = Psbt.fromHex(deposit.psbt, { network: REGTEST }).signAllInputs(this.#account.key)
    const transaction = psbt.finalizeAllInputs().extractTransaction()
    const id = transaction.getId()
    return {
      send: async () => {
        await this.chain.send(transaction.toHex())
        return id
      },
      feesPaid: () => until(`${id} to be in a block`, () => this.chain.feeOf(id), BLOCK_PATIENCE_MS),
    }
  }
}
