import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex, ed25519Address, type Hex, orderSignerAddress } from '@causeway/core'
import type { ChainPlan } from './chainPlans.js'
import { writePrivateFile } from './privateFile.js'
import type { SandboxPaths } from './sandboxPaths.js'

type VmType = ChainPlan['vmType']

/** A key with its address on chains of one kind. */
export interface SandboxKey {
  readonly address: string
  readonly privateKey: Hex
}

/** The operator's keys on one chain. */
export interface ChainKeys {
  readonly payout: SandboxKey
  readonly allocator: SandboxKey
}

/** A random key. The chance that 32 random bytes are none is below 2^-127. */
export const newKey = (vmType: VmType): SandboxKey => {
  const secret = randomBytes(32)
  const address = vmType === 'svm' ? ed25519Address(secret) : orderSignerAddress(secret)
  return { address, privateKey: bytesToHex(secret) }
}

/** Makes the operator's keys of a new sandbox, one pair for each chain in their order, each in a file of its own, mode 0600. */
export const createKeys = (paths: SandboxPaths, plans: readonly ChainPlan[]): readonly ChainKeys[] => {
  rmSync(paths.keys, { recursive: true, force: true })
  mkdirSync(paths.keys, { recursive: true, mode: 0o700 })
  const save = (name: string, key: SandboxKey): SandboxKey => {
    writePrivateFile(join(paths.keys, `${name}.key`), `${key.privateKey}\n`)
    return key
  }
  save('order', newKey('evm'))
  save('master', newKey('evm'))
  const common = save('allocator', newKey('evm'))
  return plans.map(({ id, vmType }) => ({
    payout: save(`payout-${id}`, newKey(vmType)),
    allocator: vmType === 'svm' ? save(`allocator-${id}`, newKey(vmType)) : common,
  }))
}
