import { type Static, Type } from '@sinclair/typebox'

const url = (protocols: string, description: string) =>
  Type.Optional(Type.String({ pattern: `^(?:${protocols})://`, maxLength: 500, description }))
const contract = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }))

/** A path with the place of what it shows. */
const explorerPath = (place: string, description: string) =>
  Type.Optional(
    Type.String({
      pattern: `^/.*${place.replace(/[{}]/g, '\\$&')}`,
      maxLength: 200,
      description: `${description}, with ${place}`,
    }),
  )

/** Contracts that public clients look for; all optional (wire.md 4.6). */
const contracts = Type.Object(
  {
    multicall3: contract('Multicall3'),
    multicaller: contract('Multicaller'),
    onlyOwnerMulticaller: contract('Multicaller for its owner only'),
    relayReceiver: contract('Receiver of native deposits'),
    erc20Router: contract('Router of token deposits'),
    approvalProxy: contract('Contract that users approve'),
    v3: Type.Optional(
      Type.Object(
        { erc20Router: contract('Router of token deposits'), approvalProxy: contract('Contract that users approve') },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

const oneChain = Type.Object(
  {
    publicRpc: Type.Optional(
      Type.Object(
        {
          http: url('https?', 'Endpoint that anyone may use; public clients talk to it directly'),
          ws: url('wss?', 'Its websocket'),
        },
        { additionalProperties: false },
      ),
    ),
    explorerName: Type.Optional(Type.String({ maxLength: 100, description: 'Name of the block explorer' })),
    explorerPaths: Type.Optional(
      Type.Object(
        {
          transaction: explorerPath('{TX_HASH}', 'Path of a transaction'),
          address: explorerPath('{ADDRESS}', 'Path of an account'),
          token: explorerPath('{ADDRESS}', 'Path of a token'),
        },
        { additionalProperties: false, description: 'Where the explorer has other paths than is usual for the chain' },
      ),
    ),
    explorerQueryParams: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Query parameters of every explorer link' }),
    ),
    tokenSupport: Type.Optional(
      Type.Union([Type.Literal('All'), Type.Literal('Limited')], {
        description:
          'All: any token can be asked for; Limited: only those the solver takes directly. Default: All where the chain has swaps in both directions',
      }),
    ),
    featured: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Addresses of featured currencies; default: all tokens the solver takes',
      }),
    ),
    contracts: Type.Optional(contracts),
    logoUrl: url('https?', 'Large logo'),
    brandColor: Type.Optional(Type.String({ maxLength: 32, description: 'For example #0052ff' })),
    baseChainId: Type.Optional(Type.Integer({ minimum: 1, description: 'Parent chain' })),
    statusMessage: Type.Optional(Type.String({ maxLength: 500, description: 'Words for users about its state' })),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { description: 'Words to group chains by' })),
    depositoryVault: contract('Account that holds deposits, where it is not the depository itself'),
    laggingAfterSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Age of the newest block above which the chain counts as lagging; default 600, Bitcoin 7200',
      }),
    ),
    laggingAfterBlocks: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Blocks the watcher of deposits may be behind before the chain counts as unhealthy; default 100',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Options of the plugin in the configuration. */
export const chainsOptions = Type.Object(
  {
    chains: Type.Record(Type.String({ pattern: '^[1-9][0-9]*$' }), oneChain, {
      additionalProperties: false,
      default: {},
      description: 'What the catalogue says of a chain beyond its own configuration, by chain id',
    }),
    databaseTimeoutMs: Type.Integer({
      minimum: 50,
      maximum: 10_000,
      default: 2000,
      description: 'How long the database may take before /lives says it is down',
    }),
  },
  { additionalProperties: false },
)

/** What the catalogue says of one chain beyond its own configuration. */
export type ChainListing = Static<typeof oneChain>
