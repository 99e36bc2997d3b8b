import { randomBytes } from 'node:crypto'
import {
  scriptedWalletAbi,
  scriptedWalletBytecode,
  scriptedWalletFactoryAbi,
  scriptedWalletFactoryBytecode,
} from '@causeway/contracts-abi'
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  serializeErc6492Signature,
} from 'viem'
import type { LocalEvmChain } from './node/localChain.js'

/** What a wallet does when it is asked for its word on a signature; in the order of the contract. */
export const WALLET_MOODS = [
  'honest',
  'always-yes',
  'always-no',
  'burns-gas',
  'reverts-long',
  'answers-long',
  'answers-two-words',
  'pads-left',
  'answers-short',
  'leaves-dirt',
  'yes-to-nobody',
  'by-block',
  'answers-nothing',
  'takes-its-time',
  'burns-relayed',
  'burns-sent',
] as const

export type WalletMood = (typeof WALLET_MOODS)[number]

/** A contract wallet that is not there yet. */
export interface ForeseenWallet {
  readonly address: string
  /** A signature of it with what deploys it first (ERC-6492); another call to the factory may be put in its place. */
  wrap(signature: Hex, factoryCall?: Hex): Hex
}

/** Contract wallets (EIP-1271) of one key each, on a local chain, and the factory that makes them. */
export interface ScriptedWallets {
  readonly factory: string
  /** Deploys one; returns its lower-case address. */
  make(owner: string, mood?: WalletMood): Promise<string>
  foresee(owner: string, mood?: WalletMood): ForeseenWallet
}

/** Deploys the factory. */
export const deployScriptedWallets = async (chain: LocalEvmChain): Promise<ScriptedWallets> => {
  const factory = await chain.deploy(scriptedWalletFactoryAbi, scriptedWalletFactoryBytecode)
  const from = getAddress(factory)
  const valuesOf = (owner: string, mood: WalletMood) =>
    [getAddress(owner) as Address, WALLET_MOODS.indexOf(mood)] as const
  return {
    factory,
    make: (owner, mood = 'honest') => chain.deploy(scriptedWalletAbi, scriptedWalletBytecode, valuesOf(owner, mood)),
    foresee: (owner, mood = 'honest') => {
      const salt: Hex = `0x${randomBytes(32).toString('hex')}`
      const args = valuesOf(owner, mood)
      const bytecode = encodeDeployData({ abi: scriptedWalletAbi, bytecode: scriptedWalletBytecode, args })
      const making = encodeFunctionData({
        abi: scriptedWalletFactoryAbi,
        functionName: 'make',
        args: [...args, salt],
      })
      return {
        address: getContractAddress({ opcode: 'CREATE2', from, salt, bytecode }).toLowerCase(),
        wrap: (signature, data = making) => serializeErc6492Signature({ address: from, data, signature }),
      }
    },
  }
}
