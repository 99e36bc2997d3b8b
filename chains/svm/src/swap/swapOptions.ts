import type { Environment } from '@causeway/core'
import { type Static, Type } from '@sinclair/typebox'

/** The program of the aggregator that most sources of this shape call. */
const USUAL_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'

const swapSource = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
      description: 'Name in GET /swap-sources and in quotes',
    }),
    url: Type.String({ pattern: '^https?://', description: 'Base address of a Jupiter-shaped API' }),
    apiKeyVariable: Type.Optional(
      Type.String({ pattern: '^[A-Z][A-Z0-9_]*$', description: 'Environment variable with its API key' }),
    ),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 50, maximum: 30_000, default: 1500 })),
    programs: Type.Optional(
      Type.Array(Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' }), {
        default: [USUAL_PROGRAM],
        maxItems: 16,
        description: 'Programs its instructions may call beside the token programs',
      }),
    ),
  },
  { additionalProperties: false },
)

/** `options.swap` of one Solana chain: where currencies are exchanged. Without it the chain has no swaps. */
export const swapOptions = Type.Object(
  { sources: Type.Array(swapSource, { minItems: 1, maxItems: 8 }) },
  { additionalProperties: false },
)

export interface SwapSourceSettings {
  readonly name: string
  readonly url: string
  readonly apiKey: string | null
  readonly timeoutMs: number
  readonly programs: readonly string[]
}

/** Defaults filled in and keys read. @throws Error in plain words when a key is not set or a name stands twice */
export const resolveSwapSources = (
  options: Static<typeof swapOptions> | undefined,
  environment: Environment,
): readonly SwapSourceSettings[] => {
  const sources = (options?.sources ?? []).map(({ name, url, apiKeyVariable, timeoutMs, programs }) => ({
    name,
    url: url.replace(/\/+$/, ''),
    apiKey: apiKeyVariable === undefined ? null : keyOf(name, apiKeyVariable, environment),
    timeoutMs: timeoutMs ?? 1500,
    programs: programs ?? [USUAL_PROGRAM],
  }))
  const twice = sources.find(({ name }, at) => sources.findIndex((source) => source.name === name) !== at)
  if (twice !== undefined) throw new Error(`options.swap.sources names "${twice.name}" twice.`)
  return sources
}

const keyOf = (name: string, variable: string, environment: Environment): string => {
  const key = environment.read(variable)
  if (key === undefined || key === '') {
    throw new Error(`The swap source "${name}" needs its API key in the environment variable ${variable}.`)
  }
  return key
}
