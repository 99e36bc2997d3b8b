import {
  blockingTokenBytecode,
  feeTokenBytecode,
  noReturnTokenBytecode,
  testTokenBytecode,
  tetherTokenBytecode,
} from '@causeway/contracts-abi'
import type { ContractPlan } from '../node/openLocalTron.js'
import { words } from './words.js'

/** `tether`: as USDT of Tron, whose `transfer` returns false when it succeeds. */
export const TOKEN_CODE = {
  standard: testTokenBytecode,
  tether: tetherTokenBytecode,
  'no-return': noReturnTokenBytecode,
  blocking: blockingTokenBytecode,
  fee: feeTokenBytecode,
} as const

export type TronTokenKind = keyof typeof TOKEN_CODE

export const isTokenKind = (kind: string): kind is TronTokenKind => Object.hasOwn(TOKEN_CODE, kind)

export interface TronToken {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly kind?: TronTokenKind
}

/** A TRC-20 for `deploy` of a network; `fund` mints its units. */
export const tokenPlan = ({ name, symbol, decimals, kind = 'standard' }: TronToken): ContractPlan => ({
  bytecode: TOKEN_CODE[kind] + words(name, symbol, decimals),
  name: symbol,
})
