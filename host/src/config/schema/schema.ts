import { ROLES, type Role } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { pricesSchema } from './pricesSchema.js'
import { closed, oneOf, text, whole } from './schemaFields.js'

/** Where a secret is read from; the configuration itself never holds one. Exactly one of `env`, `file` and `keystore`. */
const keyReference = (description: string) =>
  Type.Object(
    {
      env: Type.Optional(
        text('Name of the environment variable that holds the key, 64 hex digits or an ed25519 pair.'),
      ),
      file: Type.Optional(
        text(
          'File only its owner can read (mode 0600); relative to the configuration. Hex text, or JSON with `field`.',
        ),
      ),
      field: Type.Optional(text('Name in the JSON object of `file`.')),
      keystore: Type.Optional(text('Name of the key in `keys.keystore`.')),
    },
    { ...closed, description },
  )

const keystore = Type.Object(
  {
    file: text(
      'The file, relative to the configuration; made by `causeway keys new` or `keys import`. The environment variable KEYSTORE_FILE takes its place.',
    ),
    passphrase: Type.Object(
      {
        env: Type.Optional(text('Name of the environment variable that holds it.')),
        file: Type.Optional(text('File only its owner can read (mode 0600); relative to the configuration.')),
      },
      { ...closed, description: 'Where its passphrase is read from: exactly one of `env` and `file`.' },
    ),
  },
  { ...closed, description: 'Encrypted file of keys that this process may hold.' },
)

const rpcEndpoint = Type.Object(
  {
    http: text('HTTP URL of the endpoint, or `env:NAME`: it is in that environment variable.', {
      pattern: '^(https?://|env:[A-Za-z_][A-Za-z0-9_]*$)',
    }),
    ws: Type.Optional(
      text('Websocket URL, used for subscriptions only, or `env:NAME`.', {
        pattern: '^(wss?://|env:[A-Za-z_][A-Za-z0-9_]*$)',
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
    supportsPermit: Type.Optional(Type.Boolean({ description: 'The token has EIP-2612 permits. Default false.' })),
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

const chain = Type.Object(
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

const plugin = Type.Object(
  {
    package: text('Package name, found from the folder of the configuration.'),
    options: Type.Record(Type.String(), Type.Unknown(), { default: {}, description: 'Options of the plugin.' }),
    enabled: Type.Boolean({ default: true, description: '`false` takes a plugin that comes with Causeway out.' }),
  },
  { ...closed, description: 'A plugin; a name alone is short for `{ package: name }`.' },
)

const http = Type.Object(
  {
    host: text('Address to listen on.', { default: '127.0.0.1' }),
    port: Type.Optional(
      whole('Port to listen on; 0 takes a free one. Default: environment variable PORT, else 3000.', {
        minimum: 0,
        maximum: 65_535,
      }),
    ),
    tls: Type.Optional(
      Type.Object(
        { certFile: text('PEM file of the certificate chain.'), keyFile: text('PEM file of its key.') },
        { ...closed, description: 'Serve HTTPS. Without it, plain HTTP for use behind a proxy.' },
      ),
    ),
    trustedProxies: Type.Array(text('Address or CIDR range.'), {
      default: [],
      description: 'Proxies whose `x-forwarded-for` is believed.',
    }),
    maxConnections: whole('Most connections at once, websockets too. Idle ones are closed first.', {
      minimum: 10,
      maximum: 1_000_000,
      default: 25_000,
    }),
    connectionsPerAddress: whole(
      'Most connections of one client address (of IPv6 one /64), idle ones and websockets too; those of `trustedProxies` are not counted.',
      { minimum: 1, maximum: 1_000_000, default: 500 },
    ),
    bodyLimitKiB: whole('Largest request body.', { minimum: 1, maximum: 65_536, default: 256, unit: 'KiB' }),
    timeLimitSeconds: whole('How long a request may take.', { minimum: 1, maximum: 600, default: 30, unit: 'seconds' }),
    documentation: Type.Boolean({
      default: true,
      description:
        'Serve the description of the API at `/documentation`, for machines at `/documentation/json` (role api).',
    }),
    drainSeconds: whole('How long requests in flight may finish at a stop.', {
      minimum: 0,
      maximum: 600,
      default: 10,
      unit: 'seconds',
    }),
  },
  { ...closed, default: {}, description: 'The HTTP listener.' },
)

const database = Type.Object(
  {
    url: Type.Optional(
      text(
        'PostgreSQL URL. Default: environment variable DATABASE_URL; without either an embedded server is started.',
        {
          pattern: '^postgres(ql)?://',
        },
      ),
    ),
    poolSize: whole('Most connections of this process.', { minimum: 2, maximum: 500, default: 20 }),
    searchPoolSize: whole('Most connections besides for searches of the history.', {
      minimum: 1,
      maximum: 100,
      default: 4,
    }),
    leaseSeconds: whole('How long the work of a process that died waits before another takes it over.', {
      minimum: 2,
      maximum: 120,
      default: 5,
      unit: 'seconds',
    }),
    answerSeconds: whole(
      'How long a statement of a host may take; its connection counts as lost a second later. Migrations and commands take their time.',
      { minimum: 1, maximum: 600, default: 15, unit: 'seconds' },
    ),
    allowUnconfigured: Type.Boolean({
      default: false,
      description:
        'Start although unfinished requests need a chain or currency that is not configured: they wait. Otherwise the start is refused.',
    }),
  },
  { ...closed, default: {}, description: 'Where the state is.' },
)

const keys = Type.Object(
  {
    keystore: Type.Optional(keystore),
    order: Type.Optional(keyReference('Signs order ids (role api).')),
    allocator: Type.Optional(keyReference('Signs withdrawals from the depository (role solver).')),
    allocators: Type.Record(
      Type.String({ pattern: '^[0-9]+$' }),
      keyReference('Signs withdrawals on that chain, in place of `allocator` (role solver).'),
      {
        default: {},
        description: 'Allocator key by chain id, for chains whose depository has another key or another kind of key.',
        additionalProperties: false,
      },
    ),
    master: Type.Optional(keyReference('Secret other keys are derived from (roles api and webhooks).')),
    previousMaster: Type.Optional(
      keyReference('The master key that `master` takes the place of, while it is rotated (roles api and webhooks).'),
    ),
    hd: Type.Optional(keyReference('Root of deposit addresses (role solver).')),
    operator: Type.Optional(
      keyReference('Signs orders over the wallets: `causeway wallet` alone reads it, and no host may hold it.'),
    ),
    deployer: Type.Optional(
      Type.Object(
        {
          ...keyReference('').properties,
          keystoreFile: Type.Optional(
            text('Keystore of its own that holds it, under the passphrase of `keys.keystore`; no host opens it.'),
          ),
        },
        { ...closed, description: 'Pays for contracts (`causeway contracts deploy`); no host reads it.' },
      ),
    ),
    payout: Type.Record(
      Type.String({ pattern: '^[0-9]+$' }),
      keyReference('Signs payouts on that chain (role solver).'),
      {
        default: {},
        description: 'Payout key by chain id.',
        additionalProperties: false,
      },
    ),
  },
  { ...closed, default: {}, description: 'Where each key is read from.' },
)

const wallet = Type.Object(
  {
    operators: Type.Array(text('Address of the key.', { pattern: '^0x[0-9a-fA-F]{40}$' }), {
      default: [],
      description:
        'Keys of operators whose orders over the wallets are signed, any one of them. None: wallet orders are off.',
    }),
    allowed: Type.Array(
      Type.Object(
        {
          chainId: whole('Chain id.', { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          address: text('Recipient; a tag or memo behind it as `?tag=7` or `?memo=text`.'),
          currencies: Type.Optional(
            Type.Array(text('Address of a currency of the chain.'), { description: 'Default: all of the chain.' }),
          ),
          perDay: Type.Optional(
            Type.Array(
              Type.Object(
                {
                  currency: text('Address of a currency of the chain.'),
                  amount: text('Whole units, for example `25000` or `12.5`.', {
                    pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
                  }),
                },
                closed,
              ),
              { description: 'Most that it may be sent within any 24 hours, by currency. Others have no limit.' },
            ),
          ),
        },
        closed,
      ),
      { default: [], description: 'Whom operators may send money out of the wallets.' },
    ),
  },
  {
    ...closed,
    default: {},
    description:
      'What the process that signs (role solver) takes of operators: its own configuration decides, not the database, nor that of the command.',
  },
)

const quotes = Type.Object(
  {
    anonymousHoldBps: whole(
      'Share of a currency that quotes of callers without a key and of keys nobody vouches for may hold together.',
      { minimum: 0, maximum: 10_000, default: 2500, unit: 'basis points' },
    ),
    callerHoldBps: whole('Share of that part which one such address or integrator may hold.', {
      minimum: 0,
      maximum: 10_000,
      default: 2000,
      unit: 'basis points',
    }),
    anonymousMiBPerDay: whole(
      'Most that quotes of callers without a key and of keys nobody vouches for may add to the database in a day (UTC), all together, one of them an eighth through one host; beyond it they get 503.',
      { minimum: 1, maximum: 1_048_576, default: 2048, unit: 'MiB' },
    ),
  },
  { ...closed, default: {}, description: 'Quotes.' },
)

const retention = Type.Object(
  {
    unpaidQuotesDays: whole('How long a quote is kept that nobody pays; a deposit for it is parked from then on.', {
      minimum: 8,
      maximum: 365,
      default: 30,
      unit: 'days',
    }),
    eventsDays: whole(
      'How long changes of status are kept as they were told; what a webhook still needs, twice as long.',
      {
        minimum: 8,
        maximum: 3650,
        default: 30,
        unit: 'days',
      },
    ),
    auditDays: whole("How long the operators' audit is kept.", {
      minimum: 30,
      maximum: 36_500,
      default: 400,
      unit: 'days',
    }),
  },
  {
    ...closed,
    default: {},
    description: 'How long is kept what is dropped after its time. Requests are kept for ever.',
  },
)

const logging = Type.Object(
  {
    level: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'Least level that is written.', {
      default: 'info',
    }),
    pretty: Type.Optional(Type.Boolean({ description: 'Lines for people instead of JSON. Default: on a terminal.' })),
  },
  { ...closed, default: {}, description: 'The log.' },
)

const tracing = Type.Object(
  {
    endpoint: text('URL that takes traces by OTLP over HTTP, for example `https://collector.example/v1/traces`.', {
      pattern: '^https?://',
    }),
    sampleRatio: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 1,
      description: 'Share of requests that are traced; every process picks the same ones.',
    }),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Headers of each export, for example a token.' }),
    ),
  },
  { ...closed, description: 'Traces of requests; without it there are none.' },
)

/** The configuration file; every field with its meaning and default. */
export const configSchema = Type.Object(
  {
    network: oneOf(['mainnet', 'testnet'], 'What the chains hold: real money or test money.'),
    serviceName: text(
      'Name of the service: the key of its fee in feeSponsorship of quotes, and the namespace of traces.',
      { default: 'relay', maxLength: 64 },
    ),
    database,
    http,
    roles: Type.Array(oneOf([...ROLES, 'all'] as const, 'A role.'), {
      minItems: 1,
      default: ['all'],
      description: 'What this process does: `api`, `watcher`, `solver`, `webhooks`, or `all`.',
    }),
    chains: Type.Array(chain, { default: [], description: 'The chains of this deployment.' }),
    plugins: Type.Array(plugin, {
      default: [],
      description:
        'Plugins besides those that come with Causeway, and options of the latter. In any order: they are ordered by what they require.',
    }),
    defaultPlugins: Type.Boolean({
      default: true,
      description: 'Whether those that come with Causeway run; `false`: only what `plugins` names.',
    }),
    keys,
    wallet,
    prices: pricesSchema,
    quotes,
    retention,
    logging,
    tracing: Type.Optional(tracing),
    dataDir: text('Folder of the embedded server, relative to the configuration.', { default: '.causeway/data' }),
  },
  { ...closed, description: 'Causeway configuration' },
)

/** A plugin that runs, with its place in the configuration. */
export interface ConfiguredPlugin {
  readonly package: string
  readonly options: Readonly<Record<string, unknown>>
  readonly path: string
}

/** The configuration with every default filled in, and the plugins that run. */
export type HostConfig = Omit<Static<typeof configSchema>, 'roles' | 'plugins' | 'defaultPlugins'> & {
  readonly roles: readonly Role[]
  readonly plugins: readonly ConfiguredPlugin[]
}

export interface KeyReference {
  readonly env?: string
  readonly file?: string
  readonly field?: string
  readonly keystore?: string
}
export type ConfiguredChain = HostConfig['chains'][number]
