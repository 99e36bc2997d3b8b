import { randomBytes } from 'node:crypto'
import { accountOf } from '@causeway/chain-bvm/testing'
import type { Hex } from '@causeway/core'
import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js'
import { Psbt } from 'bitcoinjs-lib'
import { balanceOnChain } from '../harness/books.js'
import { ServiceCalls, type ShownStatus } from '../harness/serviceCalls.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { type BitcoinNetwork, BVM_ID, type ChainId, DECIMALS, EVM_ID, SVM_ID } from './bitcoinNetwork.js'

/** The parts of a quote that these tests read. */
export interface BitcoinQuote {
  readonly requestId: Hex
  readonly steps: readonly { readonly items: readonly { readonly data: unknown }[] }[]
  readonly details: { readonly currencyOut: { readonly amount: string } }
  readonly protocol: { readonly v2: { readonly orderId: Hex } }
}

export interface BitcoinRequest {
  readonly from: ChainId
  readonly to: ChainId
  /** Satoshis, whatever the decimals of the chain. */
  readonly satoshis: bigint
  readonly recipient?: string
  /** Whose coins pay, where bitcoin is the origin. */
  readonly user?: number
  readonly more?: Readonly<Record<string, unknown>>
}

interface EvmStep {
  readonly to: string
  readonly data: Hex
  readonly value: string
}

interface SvmStep {
  readonly instructions: readonly {
    readonly keys: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[]
    readonly programId: string
    readonly data: string
  }[]
}

/** A user's side: asks the service over HTTP, pays with a plain wallet of each chain. */
export class BitcoinClient {
  readonly #network: BitcoinNetwork
  readonly #service: ServiceCalls<BitcoinQuote>

  constructor(network: BitcoinNetwork, service: { readonly url: string; readonly apiKey: string }) {
    this.#network = network
    this.#service = new ServiceCalls(service)
  }

  freshRecipient(chainId: ChainId): string {
    if (chainId === EVM_ID) return freshAddress()
    if (chainId === SVM_ID) return Keypair.generate().publicKey.toBase58()
    return accountOf(randomBytes(32)).addresses.p2tr
  }

  ask(request: BitcoinRequest): Promise<{ readonly status: number; readonly body: BitcoinQuote }> {
    return this.#service.ask(this.#bodyOf(request))
  }

  /** Asks until the service can quote. @throws Error with any other refusal */
  quote(request: BitcoinRequest): Promise<BitcoinQuote> {
    return this.#service.quote(this.#bodyOf(request))
  }

  #bodyOf(request: BitcoinRequest): object {
    const { from, to, satoshis, recipient, more } = request
    const { currencies } = this.#network
    return {
      user: this.#userOf(request),
      recipient: recipient ?? this.freshRecipient(to),
      originChainId: from,
      destinationChainId: to,
      originCurrency: currencies[from].address,
      destinationCurrency: currencies[to].address,
      amount: amountOn(from, satoshis).toString(),
      tradeType: 'EXACT_INPUT',
      ...more,
    }
  }

  /** Sends every step as a plain wallet of its chain would; returns the id of the last transaction. */
  async pay(quote: BitcoinQuote, request: BitcoinRequest): Promise<string> {
    let last = ''
    for (const { data } of quote.steps.flatMap(({ items }) => items)) {
      if (request.from === EVM_ID) last = await this.#payOnEvm(data as EvmStep)
      else if (request.from === SVM_ID) last = await this.#payOnSolana(data as SvmStep)
      else last = await this.#payOnBitcoin(data as { readonly psbt: string }, request.user ?? 0)
    }
    return last
  }

  status(requestId: Hex): Promise<ShownStatus> {
    return this.#service.status(requestId)
  }

  waitFor(requestId: Hex, wanted: readonly string[], milliseconds?: number): Promise<ShownStatus> {
    return this.#service.waitFor(requestId, wanted, milliseconds)
  }

  /** What an account really holds, of bitcoin in blocks. */
  async balance(chainId: ChainId, owner: string): Promise<bigint> {
    const { evm, svm, bitcoin, currencies } = this.#network
    const { address } = currencies[chainId]
    if (chainId === EVM_ID) return balanceOnChain({ chain: evm } as never, owner, address)
    if (chainId === BVM_ID) {
      const response = await fetch(`${bitcoin.url}/address/${owner}`)
      const { chain_stats: stats } = (await response.json()) as {
        readonly chain_stats: { readonly funded_txo_sum: number; readonly spent_txo_sum: number }
      }
      return BigInt(stats.funded_txo_sum) - BigInt(stats.spent_txo_sum)
    }
    const account = getAssociatedTokenAddressSync(new PublicKey(address), new PublicKey(owner), true)
    if ((await svm.connection.getAccountInfo(account, 'confirmed')) === null) return 0n
    return BigInt((await svm.connection.getTokenAccountBalance(account, 'confirmed')).value.amount)
  }

  #userOf({ from, user = 0 }: BitcoinRequest): string {
    const { evmUser, svmUser, bitcoinUsers } = this.#network
    if (from === EVM_ID) return evmUser.address
    return from === SVM_ID ? svmUser.address : (bitcoinUsers[user]?.addresses.p2wpkh ?? '')
  }

  async #payOnEvm({ to, data, value }: EvmStep): Promise<string> {
    const { evm, evmUser } = this.#network
    const hash = await evm.send(evmUser, { to, data, value: BigInt(value) })
    await receiptOf(evm, hash)
    return hash
  }

  #payOnSolana({ instructions }: SvmStep): Promise<string> {
    const { svm, svmUser } = this.#network
    return svm.send(
      svmUser,
      instructions.map(
        ({ keys, programId, data }) =>
          new TransactionInstruction({
            keys: keys.map(({ pubkey, ...flags }) => ({ pubkey: new PublicKey(pubkey), ...flags })),
            programId: new PublicKey(programId),
            data: Buffer.from(data, 'hex'),
          }),
      ),
    )
  }

  async #payOnBitcoin({ psbt }: { readonly psbt: string }, user: number): Promise<string> {
    const { bitcoin, bitcoinUsers } = this.#network
    const account = bitcoinUsers[user]
    if (account === undefined) throw new Error(`No user ${user}`)
    const signed = Psbt.fromHex(psbt, { network: bitcoin.network }).signAllInputs(account.key)
    return bitcoin.send(signed.finalizeAllInputs().extractTransaction())
  }
}

/** Satoshis in the smallest unit of a chain's bitcoin. */
export const amountOn = (chainId: ChainId, satoshis: bigint): bigint => satoshis * 10n ** BigInt(DECIMALS[chainId] - 8)
