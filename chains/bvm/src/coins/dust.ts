import { readScript } from '../address/scriptAddress.js'
import { outputWeight } from './sizes.js'

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
