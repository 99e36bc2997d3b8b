import { ROLES, type Role } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { chain } from './chainSchema.js'
import { keys } from './keysSchema.js'
import { pricesSchema } from './pricesSchema.js'
import { closed, oneOf, text, whole } from './schemaFields.js'

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
    console: Type.Object(
      {
        host: text('Address to listen on, for example one of a private network.', { default: '127.0.0.1' }),
        port: Type.Optional(
          whole(
            'Port to listen on; 0 takes a free one. Default: 1000 above `http.port`, or a free one where that is taken.',
            { minimum: 0, maximum: 65_535 },
          ),
        ),
        publicUrl: Type.Optional(
          text('Where operators reach it, for example `https://console.internal`; needed where that is no loopback.', {
            pattern: '^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?$',
          }),
        ),
        shared: Type.Boolean({
          default: false,
          description:
            'Serve `/console` and `/metrics` on the first listener and open no second one. Only where `http.host` is a loopback address that no proxy serves.',
        }),
      },
      {
        ...closed,
        default: {},
        description:
          "The operator's listener, with the same certificate. It serves everything, and only it serves the operator console (`/console`) and `/metrics`.",
      },
    ),
    trustedProxies: Type.Array(text('Address or CIDR range.'), {
      default: [],
      description: 'Proxies whose `x-forwarded-for` and `Forwarded` are believed.',
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
      'Most that quotes, and nonce mappings, of callers whom nobody vouches for may add to the database in a day (UTC), all together, one of them an eighth through one host; beyond it they get 429.',
      { minimum: 1, maximum: 1_048_576, default: 2048, unit: 'MiB' },
    ),
    unattendedSeconds: whole(
      'How long a chain may be without a running watcher or solver before quotes from and to it are refused (503 `SERVICE_UNAVAILABLE`).',
      { minimum: 5, maximum: 86_400, default: 30, unit: 'seconds' },
    ),
  },
  { ...closed, default: {}, description: 'Quotes.' },
)

const balances = Type.Object(
  {
    chainId: whole('Chain of the currency.', { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    currency: text(
      'Address of the currency in which wallets are owed what they earn, best a dollar: one of its chain.',
    ),
    conversionBps: whole(
      'Basis points that a wallet pays where another asset becomes its balance, or its balance is paid out as one, so that balances are no way to swap below the price of a route.',
      { minimum: 0, maximum: 10_000, default: 45 },
    ),
  },
  {
    ...closed,
    description:
      'App fees, sponsors and fast fills go by balances of wallets in this currency. Default: none are kept.',
  },
)

const retention = Type.Object(
  {
    unpaidQuotesDays: whole('How long a quote is kept that nobody pays; a deposit for it is parked from then on.', {
      minimum: 8,
      maximum: 365,
      default: 8,
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
    nonceMappingDomain: text(
      'Name of the domain in what users sign where a nonce links a transfer to its order (`POST /authorize`).',
      { default: 'RelayNonceMapping', maxLength: 64 },
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
    balances: Type.Optional(balances),
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
