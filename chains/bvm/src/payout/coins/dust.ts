import { readScript } from '../../address/scriptAddress.js'
import { type FeeRate, feeOf } from './feeRate.js'
import { inputWeight, outputWeight, virtualSize } from './sizes.js'

/** Satoshis per byte by which nodes tell dust: three times the least fee. */
const DUST_RATE = 3n
/** Bytes that spending takes: of an output with a witness program, and of any other. */
const WITNESS_SPEND = 67n
const PLAIN_SPEND = 148n

/** Least value of an output that nodes pass on, by Bitcoin Core's rule: 294 P2WPKH, 330 P2TR and P2WSH, 540 P2SH, 546 P2PKH. */
export const dustLimit = (script: Uint8Array): bigint => {
  if (script[0] === 0x6a) return 0n
  const kind = readScript(script)?.kind
  const witness = kind === 'p2wpkh' || kind === 'p2wsh' || kind === 'p2tr'
  return (BigInt(outputWeight(script) / 4) + (witness ? WITNESS_SPEND : PLAIN_SPEND)) * DUST_RATE
}

/** The rate at which an output to the depository must be worth spending to count. Fixed: what counts may not change with time. */
const COUNTED_RATE: FeeRate = 10_000n

/**
 * Least value of an output to the depository that counts as deposited, 681 satoshis: more than it costs to spend it. Else a
 * deposit of a thousand tiny outputs would cost the solver more than it brings.
 */
export const leastDeposit = (script: Uint8Array): bigint => {
  const cost = feeOf(virtualSize(inputWeight(readScript(script)?.kind ?? 'p2wpkh')), COUNTED_RATE)
  const dust = dustLimit(script)
  return cost < dust ? dust : cost + 1n
}
