import { CallError } from '@causeway/core/testing'

/** A text; `position` counts the parameters of a call from 1, as Core does. @throws CallError -3 */
export const textOf = (value: unknown, position: number): string => {
  if (typeof value === 'string') return value
  throw new CallError(
    -3,
    `Wrong type passed:\n{\n    "Position ${position}": "JSON value is not of expected type string"\n}`,
  )
}

/** A whole number. @throws CallError -3 */
export const numberOf = (value: unknown, position: number): number => {
  if (typeof value === 'number' && Number.isInteger(value)) return value
  throw new CallError(
    -3,
    `Wrong type passed:\n{\n    "Position ${position}": "JSON value is not of expected type number"\n}`,
  )
}

/** @throws CallError -3 */
export const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  throw new CallError(-3, 'Expected type array')
}

/** A block's or transaction's hash in lower case. @throws CallError -8 */
export const hashOf = (value: unknown, position = 1): string => {
  const text = textOf(value, position)
  if (text.length !== 64) {
    throw new CallError(-8, `parameter ${position} must be of length 64 (not ${text.length}, for '${text}')`)
  }
  if (!/^[0-9a-f]*$/i.test(text)) {
    throw new CallError(-8, `parameter ${position} must be hexadecimal string (not '${text}')`)
  }
  return text.toLowerCase()
}
