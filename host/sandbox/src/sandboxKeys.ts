import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex, type Hex } from '@causeway/core'
import type { ChainTesting, TestKey } from '@causeway/core/testing'
import { writePrivateFile } from './state/privateFile.js'
import type { SandboxPaths } from './state/sandboxPaths.js'

/** The operator's keys on one chain. */
export interface ChainKeys {
  readonly payout: TestKey
  readonly allocator: TestKey
  /** Sends for users; holds nothing but gas. */
  readonly origin: TestKey
}

/** A chain that keys are made for. */
export interface KeyedChain {
  readonly id: number
  readonly testing: ChainTesting
}

/** A random secret. The chance that 32 random bytes are no key is below 2^-127. */
export const newSecret = (): Uint8Array => randomBytes(32)

/** Makes the operator's keys of a new sandbox, one pair for each chain in their order and the secret of deposit addresses, each in a file of its own, mode 0600. */
export const createKeys = (
  paths: SandboxPaths,
  chains: readonly KeyedChain[],
): { readonly chains: readonly ChainKeys[]; readonly seed: Uint8Array } => {
  rmSync(paths.keys, { recursive: true, force: true })
  mkdirSync(paths.keys, { recursive: true, mode: 0o700 })
  const save = (name: string, privateKey: Hex): void =>
    writePrivateFile(join(paths.keys, `${name}.key`), `${privateKey}\n`)
  const shared = newSecret()
  save('order', bytesToHex(newSecret()))
  save('master', bytesToHex(newSecret()))
  save('allocator', bytesToHex(shared))
  const seed = newSecret()
  save('hd', bytesToHex(seed))
  const own = chains.map(({ id, testing }) => {
    const ofChain = (name: string): TestKey => {
      const key = testing.keyOf(newSecret())
      save(`${name}-${id}`, key.privateKey)
      return key
    }
    const allocator = testing.sandbox.allocator === 'shared' ? testing.keyOf(shared) : ofChain('allocator')
    return { payout: ofChain('payout'), allocator, origin: ofChain('origin') }
  })
  return { chains: own, seed }
}
