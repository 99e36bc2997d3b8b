import { type Static, type TSchema, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const

const name = Type.Optional(
  Type.String({ minLength: 1, maxLength: 32, description: 'Name in the log. Default: the kind and the position.' }),
)

const url = (description: string, preset?: string) =>
  Type.String({ maxLength: 2048, description, ...(preset === undefined ? {} : { default: preset }) })

const apiKey = (header: string) =>
  Type.Optional(
    Type.Object(
      {
        env: Type.String({ minLength: 1, description: 'Name of the environment variable that holds it.' }),
        header: Type.String({
          default: header,
          pattern: '^[A-Za-z0-9-]{1,64}$',
          description: 'Header it is sent in; in `authorization` as a bearer token.',
        }),
      },
      { ...closed, description: 'Key of the server, where the server needs one.' },
    ),
  )

const refreshSeconds = (preset: number, description: string) =>
  Type.Integer({ minimum: 60, maximum: 604_800, default: preset, description })

const maxBytes = (preset: number) =>
  Type.Integer({ minimum: 1024, maximum: 67_108_864, default: preset, description: 'Maximum size of the list.' })

const MIB = 1_048_576

const list = Type.Object(
  {
    url: url('HTTPS URL of a list in the token-list format of Uniswap.'),
    name,
    chainIds: Type.Record(Type.String({ pattern: '^[0-9]{1,15}$' }), Type.Integer({ minimum: 1 }), {
      ...closed,
      default: {},
      description: 'Chain id of this deployment by chain id of the list, where the two differ.',
    }),
    refreshSeconds: refreshSeconds(3_600, 'How often the list is requested.'),
    maxBytes: maxBytes(8 * MIB),
  },
  { ...closed, description: 'A token list.' },
)

const coingecko = Type.Object(
  {
    url: url('HTTPS URL at which its paths begin.', 'https://api.coingecko.com/api/v3'),
    name,
    apiKey: apiKey('x-cg-demo-api-key'),
    platforms: Type.Record(Type.String({ pattern: '^[0-9]{1,15}$' }), Type.String({ minLength: 1, maxLength: 100 }), {
      ...closed,
      description: 'Platform id by chain id of this deployment; other chains are not searched.',
    }),
    refreshSeconds: refreshSeconds(21_600, 'How often the list of its coins and their addresses is requested.'),
    maxBytes: maxBytes(16 * MIB),
  },
  { ...closed, description: 'A server with the answers of CoinGecko.' },
)

const jupiter = Type.Object(
  {
    url: url('HTTPS URL at which its paths begin.', 'https://api.jup.ag/tokens/v2'),
    name,
    apiKey: apiKey('x-api-key'),
    chainId: Type.Integer({ minimum: 1, description: 'The Solana chain whose tokens it knows.' }),
  },
  { ...closed, description: 'A server with the answers of the token search of Jupiter.' },
)

const several = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { maxItems: 20, default: [], description })

/** Options of the plugin; without sources it does nothing. */
export const currencySearchOptions = Type.Object(
  {
    lists: several(list, 'Token lists.'),
    coingecko: several(coingecko, 'Servers with the answers of CoinGecko.'),
    jupiter: several(jupiter, 'Servers with the answers of the token search of Jupiter.'),
    timeoutMs: Type.Integer({
      minimum: 100,
      maximum: 20_000,
      default: 2_500,
      description: 'Time limit of one search; sources have six tenths of it, the chains the rest.',
    }),
    keepSeconds: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      default: 600,
      description: 'How long an answer of a server is used; one without tokens for a minute at most.',
    }),
    allowPrivateTargets: Type.Boolean({
      default: false,
      description: 'URLs may name hosts of private networks, with any port.',
    }),
    caFile: Type.Optional(
      Type.String({
        description:
          'PEM file, by its absolute path, of certificate authorities that sources may use besides the public ones.',
      }),
    ),
  },
  closed,
)

export type CurrencySearchOptions = Static<typeof currencySearchOptions>
