import type { Hex } from '@causeway/core'
import { decodeAbiParameters, parseAbiParameters } from 'viem/utils'
import { ZERO_ADDRESS } from '../address/addresses.js'

/** A signature, and the call that brings its wallet to where it knows it (ERC-6492). */
export interface UnwrappedSignature {
  readonly signature: Hex
  /** The zero address: nothing is to be called. */
  readonly factory: Hex
  readonly factoryCall: Hex
}

/** The last word of a wrapped signature. No other signature ends so: a real one ends with 27 or 28, or is of a wallet's own making. */
const WRAPPED = '6492'.repeat(16)
const wrapper = parseAbiParameters('address factory, bytes factoryCall, bytes signature')

/** Takes the wrapper of ERC-6492 off, where there is one; null where what ends like a wrapped signature is none. `signature` is in lower case. */
export const unwrapSignature = (signature: Hex): UnwrappedSignature | null => {
  if (!signature.endsWith(WRAPPED)) return { signature, factory: ZERO_ADDRESS, factoryCall: '0x' }
  try {
    const [factory, factoryCall, inner] = decodeAbiParameters(wrapper, signature.slice(0, -WRAPPED.length) as Hex)
    return { signature: inner, factory: factory.toLowerCase() as Hex, factoryCall }
  } catch {
    // It throws for whatever is not encoded so.
    return null
  }
}
