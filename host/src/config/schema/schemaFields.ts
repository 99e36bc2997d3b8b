import { Type } from '@sinclair/typebox'

/** Objects of the configuration have no settings that are not listed. */
export const closed = { additionalProperties: false } as const

/** A text that is not empty. */
export const text = (description: string, rest: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, description, ...rest })

/** A whole number in a range. */
export const whole = (
  description: string,
  range: { minimum: number; maximum: number; default?: number; unit?: string },
) => Type.Integer({ description, ...range })

/** One of several words. */
export const oneOf = <const T extends string>(
  values: readonly T[],
  description: string,
  rest: Record<string, unknown> = {},
) => Type.Unsafe<T>({ type: 'string', enum: [...values], description, ...rest })
