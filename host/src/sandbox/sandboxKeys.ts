import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { orderSignerAddress } from '@causeway/core'
import { writePrivateFile } from './privateFile.js'
import type { SandboxPaths } from './sandboxPaths.js'

type Key = `0x${string}`

/** A random private key. The chance that 32 random bytes are no key is below 2^-127. */
export const newKey = (): Key => `0x${randomBytes(32).toString('hex')}`

/** Lower-case address of a key. */
export const addressOfKey = (key: Key): string => orderSignerAddress(key)

/** The operator's keys of a new sandbox. */
export interface SandboxKeys {
  readonly allocator: Key
  /** One for each chain, in their order. */
  readonly payout: readonly Key[]
}

/** Makes the keys of a new sandbox and stores each in a file of its own, mode 0600. */
export const createKeys = (paths: SandboxPaths, chainIds: readonly number[]): SandboxKeys => {
  rmSync(paths.keys, { recursive: true, force: true })
  mkdirSync(paths.keys, { recursive: true, mode: 0o700 })
  const save = (name: string, key: Key): Key => {
    writePrivateFile(join(paths.keys, `${name}.key`), `${key}\n`)
    return key
  }
  save('order', newKey())
  save('master', newKey())
  return {
    allocator: save('allocator', newKey()),
    payout: chainIds.map((id) => save(`payout-${id}`, newKey())),
  }
}
