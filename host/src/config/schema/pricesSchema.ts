import { Type } from '@sinclair/typebox'
import { closed, text, whole } from './schemaFields.js'

const apiKey = (header: string) =>
  Type.Object(
    {
      env: text('Name of the environment variable that holds it.'),
      header: Type.Optional(
        text(`Header it is sent in; in \`authorization\` as a bearer token. Default: \`${header}\`.`, {
          pattern: '^[A-Za-z0-9-]+$',
        }),
      ),
    },
    { ...closed, description: 'Key of the server.' },
  )

const keepSeconds = whole('How long an answer is used; from half of it on the next one is fetched.', {
  minimum: 2,
  maximum: 3_600,
  default: 30,
  unit: 'seconds',
})

const timeoutMs = whole('Most time for an answer.', {
  minimum: 100,
  maximum: 10_000,
  default: 2_000,
  unit: 'milliseconds',
})

const server = {
  name: Type.Optional(text('Name in logs and findings.', { maxLength: 32 })),
  keepSeconds,
  timeoutMs,
}

const KEYED = '`<chainId>:<address>`, group or symbol'

const coingecko = Type.Object(
  {
    url: text('Where its paths begin.', { default: 'https://api.coingecko.com/api/v3', pattern: '^https?://' }),
    apiKey: Type.Optional(apiKey('x-cg-demo-api-key')),
    ids: Type.Record(Type.String(), text('Coin id.'), { default: {}, description: `Coin id by ${KEYED}.` }),
    platforms: Type.Record(Type.String({ pattern: '^[0-9]+$' }), text('Platform id.'), {
      default: {},
      description: 'Platform id by chain id: tokens of that chain, listed or not, are looked up by address.',
      additionalProperties: false,
    }),
    contractsPerRequest: whole('Most addresses in one request.', { minimum: 1, maximum: 500, default: 30 }),
    ...server,
  },
  { ...closed, description: 'A server with the answers of CoinGecko.' },
)

const pyth = Type.Object(
  {
    url: text('Where its paths begin.', { default: 'https://hermes.pyth.network', pattern: '^https?://' }),
    apiKey: Type.Optional(apiKey('authorization')),
    feeds: Type.Record(Type.String(), text('Feed id.', { pattern: '^(0x)?[0-9a-fA-F]{64}$' }), {
      default: {},
      description: `Feed id by ${KEYED}.`,
    }),
    maxConfidenceBps: whole('A confidence interval wider than this share of the price means no price now.', {
      minimum: 1,
      maximum: 10_000,
      default: 200,
      unit: 'basis points',
    }),
    ...server,
  },
  { ...closed, description: 'A server with the answers of Hermes (Pyth).' },
)

const dex = Type.Object(
  {
    references: Type.Array(text('Symbol of a currency of the configuration.'), {
      minItems: 1,
      description: 'Symbols of listed currencies; the first with a pool counts.',
    }),
    keepSeconds,
    timeoutMs,
  },
  { ...closed, description: 'Prices of currencies the solver does not hold, from pools of their chain.' },
)

/** Section `prices` of the configuration. */
export const pricesSchema = Type.Object(
  {
    file: Type.Optional(text('JSON file of prices: `{ "<chainId>:<address>" | "<groupId>" | "<symbol>": "1.23" }`.')),
    coingecko: Type.Array(coingecko, { default: [], description: 'Servers with the answers of CoinGecko.' }),
    pyth: Type.Array(pyth, { default: [], description: 'Servers with the answers of Hermes (Pyth).' }),
    dex: Type.Optional(dex),
    minimumSources: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description:
          'How many sources must have a fresh price of a currency. Default: 2, or 1 for a currency that only one source knows.',
      }),
    ),
    maxAgeSeconds: whole('Older prices are not used.', { minimum: 1, maximum: 86_400, default: 300, unit: 'seconds' }),
    maxDeviationBps: whole('Sources that differ by more make a price unusable.', {
      minimum: 1,
      maximum: 10_000,
      default: 3000,
      unit: 'basis points',
    }),
  },
  { ...closed, default: {}, description: 'What currencies are worth.' },
)
