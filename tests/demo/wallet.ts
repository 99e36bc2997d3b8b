import type { Hex } from 'viem'
import type { Quote } from './apiClient.js'
import { BvmDemoChain, BvmWallet } from './bvmWallet.js'
import { EvmDemoChain, EvmWallet } from './evmWallet.js'
import type { SandboxChainInfo } from './sandboxProcess.js'
import { SvmDemoChain, SvmWallet } from './svmWallet.js'

export interface Currency {
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

/** One chain, read directly at its node: the demo does not take the service's word for a balance. */
export interface DemoChain {
  readonly id: number
  readonly name: string
  readonly depository: string
  readonly currencies: readonly Currency[]
  /** Tokens that the solver does not hold. */
  readonly unlisted: readonly Currency[]
  readonly nativeAddress: string
  balance(holder: string, currency: Currency): Promise<bigint>
  /** Whether a transaction is in a block and did what it should. */
  succeeded(hash: string): Promise<boolean>
  /** An address nobody used before. */
  freshAddress(): string
}

/** A deposit, signed and not yet sent, with what came before it done. */
export interface SignedDeposit {
  /** Sends it; resolves with the time just before, of `performance.now()`. */
  send(): Promise<number>
  /** Native currency that this deposit and what came before it cost, once all are in blocks. @throws Error when one failed */
  gasPaid(): Promise<bigint>
}

/** One user's key on one chain. */
export interface Wallet {
  readonly chain: DemoChain
  readonly address: string
  /** Sends every transaction of the quote but the last, each in a block before the next, and signs the last: the deposit. */
  prepare(quote: Quote): Promise<SignedDeposit>
}

export const openChain = (info: SandboxChainInfo): DemoChain => {
  if (info.vmType === 'bvm') return new BvmDemoChain(info)
  return info.vmType === 'svm' ? new SvmDemoChain(info) : new EvmDemoChain(info)
}

export const openWallet = (chain: DemoChain, privateKey: string): Wallet => {
  if (chain instanceof BvmDemoChain) return new BvmWallet(chain, privateKey)
  // CAST: other keys of the sandbox are hex text.
  const key = privateKey as Hex
  if (chain instanceof SvmDemoChain) return new SvmWallet(chain, key)
  if (chain instanceof EvmDemoChain) return new EvmWallet(chain, key)
  throw new Error(`No wallet for ${chain.name}`)
}

/** @throws Error when the chain has no such currency */
export const currencyOf = (chain: DemoChain, symbol: string): Currency => {
  const found = [...chain.currencies, ...chain.unlisted].find((currency) => currency.symbol === symbol)
  if (found === undefined) throw new Error(`${chain.name} has no ${symbol}`)
  return found
}

/** What the chain's fees are paid in. @throws Error when the sandbox lists none */
export const nativeOf = (chain: DemoChain): Currency => {
  const found = chain.currencies.find(({ address }) => address === chain.nativeAddress)
  if (found === undefined) throw new Error(`${chain.name} has no native currency`)
  return found
}
