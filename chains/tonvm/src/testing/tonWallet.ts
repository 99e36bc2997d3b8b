import { prepareDeposit, type QuoteSteps, type SignedDeposit, type TestWallet, until } from '@causeway/core/testing'
import { beginCell, type Cell, external, SendMode, storeMessage, type Transaction } from '@ton/core'
import type { WalletContractV5R1 } from '@ton/ton'
import { externalHash } from './engine/messageHashes.js'
import { JETTON_OPS } from './jetton/jettonMessages.js'
import { locate } from './node/controls.js'
import { messagesOf, type TonStep, tonConnectRequest } from './tonConnect.js'
import { didAll, refusalOf, type TonReader } from './tonReader.js'
import { keysOfSecret, walletOfSecret } from './walletOfSecret.js'

/** Secret of a wallet key of 32 bytes of hex. @throws Error for another text */
const secretOf = (key: string): Uint8Array => {
  if (!/^0x[0-9a-f]{64}$/i.test(key)) throw new Error('The key is not 32 bytes of hex')
  return Buffer.from(key.slice(2), 'hex')
}

/** A signed message, and the hash that clients report of it (wire.md H.5). */
interface Signed {
  readonly boc: Buffer
  readonly hash: string
}

/** A user's wallet v5r1, which its first transfer deploys. */
export class TonWallet implements TestWallet {
  readonly #secret: Uint8Array
  readonly #contract: WalletContractV5R1

  constructor(
    readonly chain: TonReader,
    walletKey: string,
  ) {
    this.#secret = secretOf(walletKey)
    this.#contract = walletOfSecret(this.#secret)
  }

  get address(): string {
    return this.#contract.address.toRawString()
  }

  prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain.
    return prepareDeposit(steps, (data) => data as TonStep, {
      sign: (step) => this.#sign(step),
      send: (signed) => this.#send(signed),
      feeOf: (hash) => this.#feeOf(hash),
    })
  }

  async #sign(step: TonStep): Promise<Signed> {
    const request = tonConnectRequest(step, await this.chain.time())
    const { client } = this.chain
    const isDeployed = await client.isContractDeployed(this.#contract.address)
    const body = this.#contract.createTransfer({
      seqno: isDeployed ? await client.open(this.#contract).getSeqno() : 0,
      secretKey: keysOfSecret(this.#secret).secretKey,
      // A wallet v5r1 takes no other mode from outside.
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      messages: messagesOf(request),
      timeout: request.validUntil,
    })
    const init = isDeployed ? null : this.#contract.init
    const message = external({ to: this.#contract.address, init, body })
    return { boc: bocOf(beginCell().store(storeMessage(message)).endCell()), hash: externalHash(message) }
  }

  async #send({ boc, hash }: Signed): Promise<string> {
    try {
      await this.chain.client.sendFile(boc)
      return hash
    } catch (error) {
      const refusal = refusalOf(error)
      throw refusal === null ? error : new Error(`The node refuses the message: ${refusal}`)
    }
  }

  /** Waits until everything that a message caused has arrived. */
  async #feeOf(hash: string): Promise<bigint> {
    const found = await until(`${hash} to be in a block`, () => locate(this.chain.access, hash))
    const trace = await until(`the messages of ${hash} to arrive`, () => this.chain.trace(found))
    if (!trace.every(didAll)) throw new Error(`The message ${hash} failed`)
    return feesOf(trace)
  }
}

const bocOf = (cell: Cell): Buffer => cell.toBoc()

/** Nanotons that a wallet paid beyond the values of its payments: fees, and what a transfer of jettons did not return. */
const feesOf = ([first, ...others]: readonly Transaction[]): bigint => {
  if (first === undefined) return 0n
  const own = others.filter(({ address }) => address === first.address)
  const returned = own.reduce((sum, { inMessage }) => sum + nanotonsIn(inMessage?.info), 0n)
  const sent = first.outMessages.values().map(({ info, body }) => {
    const forward = info.type === 'internal' ? info.forwardFee : 0n
    const slice = body.beginParse()
    const isJetton = slice.remainingBits >= 32 && slice.preloadUint(32) === JETTON_OPS.transfer
    return forward + (isJetton ? nanotonsIn(info) : 0n)
  })
  return sent.reduce((sum, part) => sum + part, first.totalFees.coins) - returned
}

const nanotonsIn = (info: NonNullable<Transaction['inMessage']>['info'] | undefined): bigint =>
  info?.type === 'internal' ? info.value.coins : 0n
