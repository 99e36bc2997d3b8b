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
  /** The key as wallets take it in, where that is another text. */
  readonly walletKey?: string
}

/** The operator's keys on one chain. */
export interface ChainKeys {
  readonly payout: SandboxKey
  readonly allocator: SandboxKey
}

/** A random key. The chance that 32 random bytes are none is below 2^-127. */
export const newKey = async (vmType: VmType): Promise<SandboxKey> => {
  const secret = randomBytes(32)
  const privateKey = bytesToHex(secret)
  if (vmType === 'svm') return { address: ed25519Address(secret), privateKey }
  if (vmType === 'evm') return { address: orderSignerAddress(secret), privateKey }
  const { accountOf } = await import('@causeway/chain-bvm/testing')
  const { addresses, wif } = accountOf(secret)
  return { address: addresses.p2wpkh, privateKey, walletKey: wif }
}

/** Makes the operator's keys of a new sandbox, one pair for each chain in their order, each in a file of its own, mode 0600. */
export const createKeys = async (paths: SandboxPaths, plans: readonly ChainPlan[]): Promise<readonly ChainKeys[]> => {
  rmSync(paths.keys, { recursive: true, force: true })
  mkdirSync(paths.keys, { recursive: true, mode: 0o700 })
  const save = (name: string, key: SandboxKey): SandboxKey => {
    writePrivateFile(join(paths.keys, `${name}.key`), `${key.privateKey}\n`)
    return key
  }
  save('order', await newKey('evm'))
  save('master', await newKey('evm'))
  const common = save('allocator', await newKey('evm'))
  return Promise.all(
    plans.map(async ({ id, vmType }) => ({
      payout: save(`payout-${id}`, await newKey(vmType)),
      allocator: vmType === 'evm' ? common : save(`allocator-${id}`, await newKey(vmType)),
    })),
  )
}
