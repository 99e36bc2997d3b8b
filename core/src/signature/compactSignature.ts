import type { Hex } from '../money/hex.js'

const compactForm = /^0x([0-9a-f]{64})([0-9a-f])([0-9a-f]{63})$/i

/**
 * A signature of 64 bytes (EIP-2098, the parity in the highest bit of `s`) in the form that `recoverAddress` takes, 65 bytes with `v`
 * 27 or 28; any other text is given back as it is. One to one, so no second form of a signature comes of it. Only for a key of an account:
 * a contract wallet gets what was sent.
 */
export const accountForm = (signature: string): string => {
  const [, r, first, rest] = compactForm.exec(signature) ?? []
  if (r === undefined || first === undefined || rest === undefined) return signature
  const top = Number.parseInt(first, 16)
  // CAST: hex digits of the pattern.
  return `0x${r}${(top & 7).toString(16)}${rest}${top >= 8 ? '1c' : '1b'}` as Hex
}
