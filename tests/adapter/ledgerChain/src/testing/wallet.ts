import { createPrivateKey, randomBytes, sign } from 'node:crypto'
import { createEd25519Signer, type Signer } from '@causeway/core/chain'
import { addressOf, addressOfKey } from '../address.js'
import { bytesOf, idOf, type LedgerTransfer } from '../transaction.js'
import type { LedgerEngine } from './ledgerEngine.js'

/** Head of the encoding that Node wants an ed25519 private key in. */
const KEY_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A user with a key, who signs with nothing but Node. */
export class LedgerWallet {
  readonly address: string
  readonly #engine: LedgerEngine
  readonly #seed: Buffer
  readonly #publicKey: Uint8Array
  #sequence = 0

  constructor(engine: LedgerEngine, seed: Buffer = randomBytes(32)) {
    this.#engine = engine
    this.#seed = seed
    this.#publicKey = this.signer.publicKey
    this.address = addressOfKey(this.#publicKey)
  }

  /** The same key as the service uses keys. */
  get signer(): Signer {
    return createEd25519Signer(this.#seed.toString('hex'))
  }

  /** Signs and sends; returns the id. */
  send(draft: Pick<LedgerTransfer, 'to' | 'currency' | 'amount' | 'memo' | 'fromTag'>): string {
    this.#sequence += 1
    const { to, currency, amount, memo, fromTag } = draft
    const validUntil = this.#engine.head.height + 20
    const fields = { to, currency, amount, memo, ...(fromTag === undefined ? {} : { fromTag }) }
    const transfer = { from: this.address, ...fields, sequence: this.#sequence, validUntil }
    const key = createPrivateKey({ key: Buffer.concat([KEY_HEAD, this.#seed]), format: 'der', type: 'pkcs8' })
    const signature = sign(null, bytesOf(transfer), key).toString('hex')
    const publicKey = Buffer.from(this.#publicKey).toString('hex')
    this.#engine.submit(`0x${Buffer.from(JSON.stringify({ transfer, publicKey, signature })).toString('hex')}`)
    return idOf(transfer)
  }
}

/** An account that nobody has used. */
export const freshAddress = (): string => addressOf(randomBytes(20).toString('hex'))
