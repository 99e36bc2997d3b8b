import { Type } from '@sinclair/typebox'
import { closed, text, whole } from './schemaFields.js'

const rpcEndpoint = Type.Object(
  {
    http: text('HTTP URL of the endpoint, or `env:NAME`: it is in that environment variable.', {
      pattern: '^(https?://|env:[A-Za-z_][A-Za-z0-9_]*$)',
      form: 'begin with http:// or https://, or be env:NAME',
    }),
    ws: Type.Optional(
      text('Websocket URL, used for subscriptions only, or `env:NAME`.', {
        pattern: '^(wss?://|env:[A-Za-z_][A-Za-z0-9_]*$)',
        form: 'begin with ws:// or wss://, or be env:NAME',
      }),
    ),
    provider: Type.Optional(text('Who runs it; endpoints of one provider count once towards agreement.')),
  },
  { ...closed, description: 'One RPC endpoint; a URL, or `env:NAME`, alone is short for `{ http: url }`.' },
)

const currency = Type.Object(
  {
    address: text('Address on the chain; the zero address is the native currency.'),
    symbol: text('Ticker, for example `USDC`.', { maxLength: 32 }),
    name: text('Name shown to users.', { maxLength: 100 }),
    decimals: whole('Decimals of one whole unit.', { minimum: 0, maximum: 36 }),
    groupId: text('The same asset on several chains shares it.'),
    logoURI: Type.Optional(text('URL of a logo.')),
    verified: Type.Optional(Type.Boolean({ description: 'Shown as verified. Default true.' })),
    supportsPermit: Type.Optional(
      Type.Boolean({ description: 'Told as taken by a signature (`usePermit`), or not. Default: as the chain tells.' }),
    ),
  },
  { ...closed, description: 'A currency the solver holds.' },
)

const confirmations = Type.Object(
  {
    fill: whole('Blocks on a deposit before it may be filled, its own counted.', {
      minimum: 0,
      maximum: 10_000,
      default: 1,
    }),
    success: whole('Blocks on a fill before the request is `success`.', { minimum: 1, maximum: 10_000, default: 1 }),
    settle: whole('Blocks after which money is called final; 0 only where nothing ever leaves the chain.', {
      minimum: 0,
      maximum: 100_000,
      default: 10,
    }),
    settleSeconds: whole('Seconds after which money is called final; both must hold.', {
      minimum: 0,
      maximum: 86_400,
      default: 60,
      unit: 'seconds',
    }),
  },
  { ...closed, default: {}, description: 'How deep a block must lie.' },
)

const limits = Type.Object(
  {
    perHour: Type.Array(
      Type.Object(
        {
          currency: text('Address of a currency of the chain.'),
          amount: text('Whole units, for example `25000` or `12.5`.', { pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$' }),
        },
        closed,
      ),
      {
        default: [],
        description:
          'Most that the payout key may pay out in any hour, by currency; beyond it payouts wait. None: no limit. Fees count for the native.',
      },
    ),
    unsettledUsd: text(
      'Most worth of deposits on this chain that may be paid for before they are `settle` deep; others wait until some are. What was lost within a day counts. `none`: no limit.',
      { pattern: '^(none|[0-9]{1,30}(\\.[0-9]{1,18})?)$', default: '100000' },
    ),
  },
  { ...closed, default: {}, description: 'Limits on what leaves by the payout key, and because of deposits here.' },
)

const quorumTier = Type.Object(
  {
    aboveUsd: text('Dollars as text; the tier holds for what is worth more, or has no price.', {
      pattern: '^[0-9]{1,30}(\\.[0-9]{1,18})?$',
    }),
    agreeing: whole('Providers that must show the same deposit; not more than the chain has.', {
      minimum: 1,
      maximum: 100,
    }),
    confirmations: Type.Optional(
      whole('Blocks on the deposit, its own counted. Default: `confirmations.fill`.', {
        minimum: 1,
        maximum: 10_000,
      }),
    ),
  },
  { ...closed, description: 'What large deposits must show before money moves because of them.' },
)

export const chain = Type.Object(
  {
    id: whole('Chain id.', { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    slug: text('Name of the chain in orders, for example `base`.', { pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
    name: text('Name shown to users.', { maxLength: 100 }),
    package: text('Package that speaks to it, for example `@causeway/chain-evm`.'),
    rpc: Type.Array(rpcEndpoint, { minItems: 1, description: 'Endpoints in order of preference.' }),
    currencies: Type.Array(currency, { default: [], description: 'What can be deposited and paid out.' }),
    confirmations,
    limits,
    quorum: Type.Optional(
      Type.Array(quorumTier, {
        description:
          'Amounts above which providers must agree. Default: 2 of them above $1000 where there are 2. `[]`: never.',
      }),
    ),
    solver: Type.Optional(text('Address the solver pays from. Derived where this process has the payout key.')),
    originSender: Type.Optional(
      text(
        'Address that sends permits and calls for users, of `keys.origin`. Derived where this process has that key; absent: none are sent.',
      ),
    ),
    formerSolvers: Type.Optional(
      Type.Array(text('Address.'), {
        description:
          'Addresses the solver paid from before. After a restore, what they paid in the time that is lost is looked for.',
      }),
    ),
    enabled: Type.Boolean({ default: true, description: 'False: listed, but not quoted.' }),
    privateId: Type.Optional(text('UUID of a private chain.')),
    explorerUrl: Type.Optional(text('URL of a block explorer.', { pattern: '^https?://' })),
    iconUrl: Type.Optional(text('URL of an icon.', { pattern: '^https?://' })),
    options: Type.Record(Type.String(), Type.Unknown(), { default: {}, description: 'Options of the chain package.' }),
  },
  { ...closed, description: 'One chain.' },
)
