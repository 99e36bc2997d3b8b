import type { ScriptKind } from '../../address/addresses.js'

/**
 * Weight of one input, signatures at their largest (72 bytes, 65 for Schnorr with its sighash). A P2SH input is one that nests
 * P2WPKH, a P2WSH input one of two signatures out of three keys, as most wallets make them.
 */
export const INPUT_WEIGHT: Readonly<Record<ScriptKind, number>> = {
  p2pkh: 4 * (36 + 4 + 1 + 107),
  p2sh: 4 * (36 + 4 + 1 + 23) + 108,
  p2wpkh: 4 * (36 + 4 + 1) + 108,
  p2wsh: 4 * (36 + 4 + 1) + 255,
  p2tr: 4 * (36 + 4 + 1) + 67,
}

/** Weight limit of a transaction that nodes pass on (chains.md bvm 10). */
export const MAX_WEIGHT = 400_000

/** Inputs of P2WPKH that fit into one transaction beside a few outputs. */
export const MAX_INPUTS = Math.floor((MAX_WEIGHT - 4000) / INPUT_WEIGHT.p2wpkh)

const VERSION_AND_LOCK_TIME = 4 * 8
/** Marker and flag of a transaction with witnesses. */
const SEGWIT_MARK = 2

export const outputWeight = (script: Uint8Array): number => 4 * (8 + varIntBytes(script.length) + script.length)

/** Weight of a transaction as it will be once it is signed, never too low for the kinds of inputs above. */
export const transactionWeight = (inputs: readonly ScriptKind[], outputs: readonly Uint8Array[]): number => {
  let weight = baseWeight(inputs.length, outputs)
  for (const kind of inputs) weight += inputWeight(kind)
  return weight
}

/** Weight without the inputs themselves. */
export const baseWeight = (inputCount: number, outputs: readonly Uint8Array[]): number => {
  const counts = 4 * (varIntBytes(inputCount) + varIntBytes(outputs.length))
  return outputs.reduce((sum, script) => sum + outputWeight(script), VERSION_AND_LOCK_TIME + SEGWIT_MARK + counts)
}

/** One more byte counts the empty witness of an input that has none. */
export const inputWeight = (kind: ScriptKind): number => INPUT_WEIGHT[kind] + (kind === 'p2pkh' ? 1 : 0)

/** Virtual bytes, of which fees are counted. */
export const virtualSize = (weight: number): bigint => BigInt(Math.ceil(weight / 4))

const varIntBytes = (value: number): number => (value < 0xfd ? 1 : value <= 0xffff ? 3 : 5)
