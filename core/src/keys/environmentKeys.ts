import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { KeyPurpose, MasterPurpose, Signer } from '../chain/signer.js'
import type { Keys } from '../container/coreTokens.js'
import { createEd25519Signer } from './ed25519Signer.js'
import { InvalidKeyError, parsePrivateKey } from './privateKeyText.js'
import { createSecp256k1Signer } from './secp256k1Signer.js'

const DERIVED_LENGTH = 32
/** Separates what this service derives from other uses of the same secret. */
const SALT = new TextEncoder().encode('causeway')

/** Keys handed to the process as text: private keys, and the master secret that others are derived from. */
export class EnvironmentKeys implements Keys {
  readonly #signers = new Map<KeyPurpose, Signer>()
  readonly #secrets = new Map<KeyPurpose, Uint8Array>()

  /**
   * `ed25519` names the purposes whose keys are of that kind; all others are secp256k1.
   * @throws InvalidKeyError naming the purpose, never the value
   */
  constructor(values: ReadonlyMap<KeyPurpose, string>, ed25519: ReadonlySet<KeyPurpose> = new Set()) {
    for (const [purpose, text] of values) {
      if (isSecret(purpose)) {
        this.#secrets.set(
          purpose,
          named(purpose, () => parsePrivateKey(text)),
        )
        continue
      }
      const create = ed25519.has(purpose) ? createEd25519Signer : createSecp256k1Signer
      this.#signers.set(
        purpose,
        named(purpose, () => create(text)),
      )
    }
  }

  signer(purpose: KeyPurpose): Signer {
    const signer = this.#signers.get(purpose)
    if (signer === undefined) throw new Error(`This process was not given the key "${purpose}".`)
    return signer
  }

  has(purpose: KeyPurpose): boolean {
    return this.#secrets.has(purpose) || this.#signers.has(purpose)
  }

  seed(): Uint8Array {
    const seed = this.#secrets.get('hd')
    if (seed === undefined) throw new Error('This process was not given the key "hd".')
    return seed
  }

  /** HKDF-SHA256 of the master key with `use` as info. */
  derive(use: string, from: MasterPurpose = 'master'): Uint8Array {
    const master = this.#secrets.get(from)
    if (master === undefined) throw new Error(`This process was not given the key "${from}".`)
    return hkdf(sha256, master, SALT, new TextEncoder().encode(use), DERIVED_LENGTH)
  }
}

/** What others are derived from: it signs nothing itself. */
const isSecret = (purpose: KeyPurpose): purpose is MasterPurpose | 'hd' =>
  purpose === 'master' || purpose === 'previousMaster' || purpose === 'hd'

const named = <T>(purpose: KeyPurpose, make: () => T): T => {
  try {
    return make()
  } catch (error) {
    if (error instanceof InvalidKeyError) throw new InvalidKeyError(`Key "${purpose}": ${error.message}`)
    throw error
  }
}
