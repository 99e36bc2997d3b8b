import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SignedStep } from '@causeway/core/chain'

interface Stored {
  readonly version: 1
  /** Signed bytes by `<chain id>:<step>`, oldest first. */
  readonly steps: Readonly<Record<string, readonly SignedStep[]>>
}

/** The journal lies beside the configuration. */
export const journalFileOf = (configFile: string): string => join(dirname(configFile), 'causeway.contracts.json')

/**
 * What was signed, stored before it is sent: a run after a crash sends the same bytes again and signs nothing else at
 * another nonce. Holds no key. Mode 0600, because signed bytes may be sent by whoever reads them.
 */
export class ContractJournal {
  readonly file: string
  #steps: Readonly<Record<string, readonly SignedStep[]>>

  constructor(configFile: string) {
    this.file = journalFileOf(configFile)
    this.#steps = existsSync(this.file) ? read(this.file).steps : {}
  }

  attempts(chainId: number, stepId: string): readonly SignedStep[] {
    return this.#steps[`${chainId}:${stepId}`] ?? []
  }

  /** Keeps a signed step; it is on the disk when this returns. */
  add(chainId: number, stepId: string, signed: SignedStep): void {
    this.#write({ ...this.#steps, [`${chainId}:${stepId}`]: [...this.attempts(chainId, stepId), signed] })
  }

  /** Forgets what can never land. */
  drop(chainId: number, stepId: string): void {
    const { [`${chainId}:${stepId}`]: _, ...others } = this.#steps
    this.#write(others)
  }

  #write(steps: Stored['steps']): void {
    const partial = `${this.file}.${process.pid}.partial`
    const stored: Stored = { version: 1, steps }
    const handle = openSync(partial, 'w', 0o600)
    try {
      writeSync(handle, `${JSON.stringify(stored, null, 2)}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(partial, this.file)
    this.#steps = steps
  }
}

const read = (file: string): Stored => {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    // CAST: written by `#write`; the version says so.
    if (Reflect.get(Object(stored), 'version') === 1) return stored as Stored
  } catch {
    // Told below.
  }
  throw new JournalError(file)
}

/** The journal cannot be read; without it nobody knows what may still land. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
  constructor(file: string) {
    super(
      `${file} cannot be read: it holds what was signed before. Restore it; or, when no transaction of the deployer and the payout account is pending on any chain, delete it.`,
    )
  }
}
