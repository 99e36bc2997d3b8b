import type { ConfigProblem } from '../configProblem.js'
import type { HostConfig } from '../schema/schema.js'
import { readVariable, type SecretPlace, UnreadableKey } from './keySources.js'

export interface PriceKeys {
  /** Key by the environment variable it was read from. */
  readonly values: ReadonlyMap<string, string>
  readonly problems: readonly ConfigProblem[]
  /** Of the problems those whose variable is not set. */
  readonly absent: readonly ConfigProblem[]
}

/** What a header can carry. */
const HEADER_TEXT = /^[\x21-\x7e]{1,1000}$/

/** Reads the keys of price servers. Values never show in a problem. */
export const readPriceKeys = ({ prices }: HostConfig, place: SecretPlace): PriceKeys => {
  const values = new Map<string, string>()
  const problems: ConfigProblem[] = []
  const absent: ConfigProblem[] = []
  for (const kind of ['coingecko', 'pyth'] as const) {
    for (const [at, { apiKey }] of prices[kind].entries()) {
      if (apiKey === undefined) continue
      try {
        values.set(apiKey.env, readKey(apiKey.env, place))
      } catch (error) {
        if (!(error instanceof UnreadableKey)) throw error
        const { message, remedy } = error
        const problem = { path: `prices.${kind}[${at}].apiKey.env`, message, remedy }
        problems.push(problem)
        if (error.absent) absent.push(problem)
      }
    }
  }
  return { values, problems, absent }
}

const readKey = (name: string, place: SecretPlace): string => {
  const value = readVariable(name, place).trim()
  if (HEADER_TEXT.test(value)) return value
  throw new UnreadableKey(`names the environment variable ${name}, which holds no key.`, 'Keys have no blanks.')
}
