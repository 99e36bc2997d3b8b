import type { KeyPurpose, MasterPurpose, Signer } from '@causeway/core/chain'
import { EnvironmentKeys } from '@causeway/core/host'
import type { Keys } from '@causeway/core/plugin'
import type { HostConfig } from '../schema/schema.js'
import { ConfiguredKeystore, readKeyReference, type SecretPlace, UnreadableKey } from './keySources.js'
import { checkKey, configuredKeys } from './keyValues.js'

/** A command needs a key that this process cannot have; says which, where it is looked for, and what to do. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError'
}

/** What a command may ask for: the operator's own key is that of no host. */
type CommandPurpose = MasterPurpose | 'operator'

/**
 * The keys of an operator's command: no signing key of a host at all; a master key, or the operator's own, is read when the command
 * first asks for it (architecture.md 4). So a command runs wherever the database can be reached.
 */
export class CommandKeys implements Keys {
  readonly #config: HostConfig
  readonly #place: SecretPlace
  readonly #read = new Map<CommandPurpose, EnvironmentKeys>()
  #refusal: Error | null = null

  constructor(config: HostConfig, place: SecretPlace) {
    this.#config = config
    this.#place = place
  }

  /** Whether the configuration names it; only a master key and the operator's are for commands. */
  has(purpose: KeyPurpose): boolean {
    return isForCommands(purpose) && this.#config.keys[purpose] !== undefined
  }

  /** @throws MissingKeyError for every key but the operator's, and for that one where it cannot be read */
  signer(purpose: KeyPurpose): Signer {
    if (purpose === 'operator') return this.#key(purpose).signer(purpose)
    throw new MissingKeyError(
      `This command needs the signing key "${purpose}", and an operator's command holds none. Run it with --role and a role that has this key, where that key is.`,
    )
  }

  /** What is wrong with the master keys is said by the commands that need them; the others go on. */
  refuseMasters(why: Error): void {
    this.#refusal = why
  }

  /** @throws MissingKeyError, or what the master keys were refused with */
  derive(use: string, from: MasterPurpose = 'master'): Uint8Array {
    if (this.#refusal !== null) throw this.#refusal
    return this.#key(from).derive(use, from)
  }

  /** @throws MissingKeyError: it belongs to the role that sweeps deposit addresses */
  seed(): Uint8Array {
    throw new MissingKeyError(
      'This command needs the key "hd", and an operator\'s command holds none. Run it with --role solver where that key is.',
    )
  }

  /** The master keys as far as they can be read without a keystore: opening one takes a passphrase and time. */
  readable(): Keys {
    const values = new Map<KeyPurpose, EnvironmentKeys>()
    for (const purpose of ['master', 'previousMaster'] as const) {
      const reference = this.#config.keys[purpose]
      if (reference === undefined || reference.keystore !== undefined) continue
      try {
        values.set(purpose, this.#key(purpose))
      } catch (error) {
        if (!(error instanceof MissingKeyError)) throw error
      }
    }
    return {
      has: (purpose) => values.has(purpose),
      signer: (purpose) => this.signer(purpose),
      derive: (use, from) => this.derive(use, from),
      seed: () => this.seed(),
    }
  }

  #key(purpose: CommandPurpose): EnvironmentKeys {
    const known = this.#read.get(purpose)
    if (known !== undefined) return known
    const key = configuredKeys(this.#config).find((item) => item.purpose === purpose)
    if (key === undefined) {
      throw new MissingKeyError(`This command needs the key "${purpose}", which the configuration does not name.`)
    }
    try {
      const text = readKeyReference(
        key.reference,
        this.#place,
        new ConfiguredKeystore(this.#config.keys.keystore, this.#place),
      )
      checkKey(purpose, text)
      const keys = new EnvironmentKeys(new Map([[purpose, text]]))
      this.#read.set(purpose, keys)
      return keys
    } catch (error) {
      if (!(error instanceof UnreadableKey)) throw error
      throw new MissingKeyError(
        `This command needs the key "${purpose}": ${error.path ?? key.path} ${error.message} ${error.remedy} Or run it where that key is.`,
      )
    }
  }
}

const isForCommands = (purpose: KeyPurpose): purpose is CommandPurpose =>
  purpose === 'master' || purpose === 'previousMaster' || purpose === 'operator'
