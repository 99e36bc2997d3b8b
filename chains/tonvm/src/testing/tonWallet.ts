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
  /** Hashes of external messages by what they caused. */
  readonly #sent = new Map<string, string>()
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

  /** Returns the transaction of the recipient, by which records name a deposit; it is known once the message arrived. */
  async #send({ boc, hash }: Signed): Promise<string> {
    try {
      await this.chain.client.sendFile(boc)
      const paid = (await this.#trace(hash)).find(isPaid)
      const id = paid?.hash().toString('hex') ?? hash
      this.#sent.set(id, hash)
      return id
    } catch (error) {
      const refusal = refusalOf(error)
      throw refusal === null ? error : new Error(`The node refuses the message: ${refusal}`)
    }
  }

  async #feeOf(id: string): Promise<bigint> {
    const trace = await this.#trace(this.#sent.get(id) ?? id)
    if (!trace.every(didAll)) throw new Error(`The payment ${id} failed`)
    return feesOf(trace)
  }

  /** Waits until everything that a message caused has arrived. */
  async #trace(hash: string): Promise<readonly Transaction[]> {
    const found = await until(`${hash} to be in a block`, () => locate(this.chain.access, hash))
    return until(`the messages of ${hash} to arrive`, () => this.chain.trace(found))
  }
}

const COMMENT = 0

/** Whether a transaction received a payment: a comment, or the notification of jettons. */
const isPaid = ({ inMessage }: Transaction): boolean => {
  const body = inMessage?.info.type === 'internal' ? inMessage.body.beginParse() : null
  if (body === null || body.remainingBits < 32) return false
  const op = body.loadUint(32)
  return op === COMMENT || op === JETTON_OPS.transferNotification
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
