import { type TInteger, type TOptional, type TSchema, Type } from '@sinclair/typebox'

/** Options that chains have in common; the defaults differ. */
const COMMON = {
  /** Milliseconds. */
  pollIntervalMs: { minimum: 20, description: 'How often heads are polled' },
  /** Milliseconds. */
  rpcTimeoutMs: { minimum: 100, description: 'Time limit of one request' },
  /** Milliseconds. */
  endpointCheckMs: { minimum: 100, description: 'How often the endpoints are compared with each other' },
  maxHeadAgeSeconds: {
    minimum: 0,
    description: 'Age of the newest block above which the chain counts as unavailable; 0: off',
  },
} as const

export type CommonChainOption = keyof typeof COMMON

type Schemas<Name extends string> = { readonly [name in Name]: TOptional<TInteger> }

/** An option that is a whole number, or `value` where it is left out. */
export const wholeNumber = (
  description: string,
  minimum: number,
  value: number,
  maximum?: number,
): TOptional<TInteger> =>
  Type.Optional(Type.Integer({ minimum, ...(maximum !== undefined && { maximum }), default: value, description }))

/** An option that may be null, which means that it is left out. */
export const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { default: null, description }))

/** First block, slot or ledger that a watcher without a cursor reads. */
export const firstHeight = (unit: string): TOptional<TInteger> =>
  Type.Optional(
    Type.Integer({ minimum: 0, description: `First ${unit} to read when there is no cursor; without it, the tip` }),
  )

/**
 * Schemas of those common options that `defaults` names, to be spread into a package's own. `descriptions` says what an option means
 * for this chain, where that is more than usual.
 */
export const commonChainOptions = <Name extends CommonChainOption>(
  defaults: Readonly<Record<Name, number>>,
  descriptions: Partial<Readonly<Record<Name, string>>> = {},
): Schemas<Name> => {
  const entries = namesIn(defaults).map((name) => {
    const { minimum, description } = COMMON[name]
    return [name, wholeNumber(descriptions[name] ?? description, minimum, defaults[name])]
  })
  // CAST: one entry for each name.
  return Object.fromEntries(entries) as Schemas<Name>
}

/** The common options of a configuration that may leave some out. */
export const commonChainSettings = <Name extends CommonChainOption>(
  options: { readonly [name in NoInfer<Name>]?: number | undefined },
  defaults: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> =>
  // CAST: one entry for each name.
  Object.fromEntries(namesIn(defaults).map((name) => [name, options[name] ?? defaults[name]])) as Record<Name, number>

// CAST: its keys are its names.
const namesIn = <Name extends string>(defaults: Readonly<Record<Name, number>>): Name[] =>
  Object.keys(defaults) as Name[]
