import type { Hex } from '@causeway/core'

/** Predeployed contract of OP Stack chains that states the data fee and the operator fee of a transaction. */
export const L1_FEE_ORACLE = '0x420000000000000000000000000000000000000f'

const GET_L1_FEE = '0x49948e0e'
const GET_OPERATOR_FEE = '0x275aedd2'

const word = (value: number) => value.toString(16).padStart(64, '0')

/** Call data that asks for the operator fee of a transaction that uses `gas`. Reverts before Isthmus. */
export const operatorFeeCall = (gas: number): Hex => `${GET_OPERATOR_FEE}${word(gas)}`

/** Call data that asks for the fee of a transaction of `bytes`: random-looking bytes, which are the most expensive ones. */
export const l1FeeCall = (bytes: number): Hex => {
  const filler = Array.from({ length: bytes }, (_, at) => ((at * 151 + 7) % 255) + 1)
  const text = Buffer.from(filler)
    .toString('hex')
    .padEnd(Math.ceil(bytes / 32) * 64, '0')
  return `${GET_L1_FEE}${word(32)}${word(bytes)}${text}`
}
