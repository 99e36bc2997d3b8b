import { createSecp256k1Signer, type Signer } from '@causeway/core/chain'

/** A key that lives elsewhere, as far as it goes wrong. */
export class FakeSigner implements Signer {
  readonly scheme = 'secp256k1'
  readonly publicKey: Uint8Array
  readonly #own: Signer
  asked = 0
  fault: 'away' | 'slow' | 'other digest' | 'other key' | null = null

  constructor(privateKey: string) {
    this.#own = createSecp256k1Signer(privateKey)
    this.publicKey = this.#own.publicKey
  }

  async sign(digest: Uint8Array): Promise<Uint8Array> {
    this.asked += 1
    if (this.fault === 'away') throw new Error('connect ECONNREFUSED')
    if (this.fault === 'slow') return new Promise(() => undefined)
    if (this.fault === 'other key') return createSecp256k1Signer(`0x${'33'.repeat(32)}`).sign(digest)
    return this.#own.sign(this.fault === 'other digest' ? digest.map((byte) => byte ^ 1) : digest)
  }
}
