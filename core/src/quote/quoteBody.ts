import { type Static, Type } from '@sinclair/typebox'
import { AmountText, ChainId, RULE_KEYWORD } from '../http/openapi/amountSchema.js'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const text = (description: string, maxLength = 256) => Type.Optional(Type.String({ maxLength, description }))
const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 200, description }))
/** An address or currency whose form only its chain can judge, with a code of its own; so any text passes here. */
const address = (description: string) => Type.String({ maxLength: 256, description })
/** A field that clients send and that moves nothing here: what it is meant for cannot be asked for, or is so without it. */
const withoutEffect = (why: string): string => `Accepted, without effect: ${why}`
/** Checked after the schema, with a code of its own whatever its type (wire.md K.1 2, 4). */
const checkedLater = (description: string) => Type.Optional(Type.Unknown({ description }))

const Call = Type.Object({
  to: text('Called contract'),
  value: text('Native value, smallest unit', 78),
  data: text('Calldata', 200_000),
  originalTxValue: text(withoutEffect('`value` is what counts'), 78),
})

const Authorization = Type.Object({
  chainId: Type.Number(),
  address: Type.String({ maxLength: 256 }),
  nonce: Type.Number(),
  yParity: Type.Number(),
  r: Type.String({ maxLength: 256 }),
  s: Type.String({ maxLength: 256 }),
})

const AppFee = Type.Object({ recipient: Type.String({ maxLength: 256 }), fee: Type.String({ maxLength: 78 }) })

const core = {
  user: address('Who pays, on the origin chain'),
  recipient: Type.Optional(
    address(
      'Who gets the output, `?tag=7` or `?memo=text` behind the address where one is needed; the user when left out',
    ),
  ),
  originChainId: ChainId(),
  destinationChainId: ChainId(),
  originCurrency: address('The zero address is the native currency'),
  destinationCurrency: address('The zero address is the native currency'),
  amount: AmountText({ description: 'Smallest unit of the input for EXACT_INPUT, of the output otherwise' }),
  tradeType: Type.Union([Type.Literal('EXACT_INPUT'), Type.Literal('EXPECTED_OUTPUT'), Type.Literal('EXACT_OUTPUT')]),
  referrer: text('Attribution; needs an API key, and is not empty'),
  referrerAddress: text(withoutEffect('attribution goes by `referrer`')),
  slippageTolerance: checkedLater('Text of basis points 0 to 10000; automatic when left out'),
  latePaymentSlippageTolerance: checkedLater('The same for a deposit after the price expired'),
  refundTo: Type.Optional(
    address(
      'Where a refund goes on the origin chain, as `recipient`; the user when left out. With `useDepositAddress`: nobody when left out, and the marker of the native currency means whoever sent the money',
    ),
  ),
  refundOnOrigin: flag(withoutEffect('refunds are always on the origin')),
  ttl: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 1_000_000_000,
      [RULE_KEYWORD]: 'must be a number of seconds, at least 1',
      description: 'Seconds after which an unfilled request is refunded',
    }),
  ),
  additionalData: Type.Optional(Type.Object({ userPublicKey: text('Public key of a Bitcoin user') })),
}

const execution = {
  txs: Type.Optional(Type.Array(Call, { maxItems: 100, description: 'Calls on the destination' })),
  txsGasLimit: Type.Optional(Type.Number({ minimum: 0, description: 'Gas for all calls together' })),
  authorizationList: Type.Optional(Type.Array(Authorization, { maxItems: 100 })),
  gasLimitForDepositSpecifiedTxs: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'A limit like `txsGasLimit`, the lower of the two counts; never needed. Only with `txs` and EXACT_INPUT',
    }),
  ),
  enableTrueExactOutput: flag('A surplus of an exact output goes to the solver'),
  topupGas: flag('Adds native currency on the destination'),
  topupGasAmount: text('Millionths of a dollar', 78),
  forceSolverExecution: flag('Same-chain swaps through the solver'),
  overridePriceImpact: flag('No price-impact guard'),
}

const depositStyle = {
  useDepositAddress: flag('Answers with `depositAddress`, which any wallet pays by a plain transfer'),
  strict: flag(
    'Binds the deposit address to this quote, which is paid once; needs `refundTo`. Without it the address takes any amount, any number of times',
  ),
  recoveryAddress: Type.Optional(
    address(
      'Account of the integrator on the origin chain; an operator pays it what can neither be filled nor refunded. Needs `useDepositAddress`',
    ),
  ),
  usePermit: flag('Deposit by signature: answers with something to sign, and the service sends it'),
  permitExpiry: Type.Optional(
    Type.Number({ minimum: 0, description: 'Seconds that the signature of `usePermit` stands; default 600' }),
  ),
  explicitDeposit: flag('Tokens: true is approve and depository call, false a bare transfer'),
  useExternalLiquidity: flag('Canonical bridge route'),
  useFallbacks: flag('Allows fallback routes'),
  protocolVersion: text(withoutEffect('every quote is of version 2')),
  includeProtocolData: flag('Adds the order and its signature'),
  originGasOverhead: Type.Optional(
    Type.Union([Type.Number(), Type.String({ maxLength: 78 })], {
      description:
        'Gas around a deposit that is sent for the user (`POST /execute`), charged with its own; without effect where nothing is sent for users',
    }),
  ),
}

const sponsorship = {
  subsidizeFees: flag('A sponsor pays the fees'),
  subsidizationBps: checkedLater('Share of the fees the sponsor pays, basis points'),
  maxSubsidizationAmount: text('Most the sponsor pays, millionths of a dollar', 78),
  sponsoredFeeComponents: texts('Which fees the sponsor pays'),
  subsidizeRent: flag('Adds rent to them'),
  depositFeePayer: text('Pays the deposit transaction on Solana'),
  appFees: Type.Optional(Type.Array(AppFee, { maxItems: 20, description: 'Fees of the integrator, basis points' })),
  fixedRate: text('"input:output"'),
}

const routing = {
  includedSwapSources: texts('Only these swap sources'),
  excludedSwapSources: texts('Not these swap sources'),
  includedOriginSwapSources: texts('Only these on the origin'),
  includedDestinationSwapSources: texts('Only these on the destination'),
  disableOriginSwaps: flag('No swap on the origin'),
  disableSwapProviderPreference: flag(withoutEffect('no swap source is preferred')),
  maxRouteLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Most pools in a row' })),
  useSharedAccounts: flag(withoutEffect('a swap source of Solana chooses its accounts itself')),
  includeComputeUnitLimit: flag(withoutEffect('wallets add their own compute budget on Solana')),
}

/** Body of `POST /quote`, `/quote/v2` and `/price` (wire.md 1.2, K.1 3). An unknown field is ignored with a warning, or refused where its name is nearly that of a field. */
export const QuoteBodySchema = Type.Object(
  { ...core, ...execution, ...depositStyle, ...sponsorship, ...routing },
  { title: 'QuoteRequest' },
)

/**
 * A body that fits the schema. Fields that other plugins understand come with it and have no name here: each quote extension reads
 * its own through its `bodySchema`.
 */
export type QuoteBody = Readonly<Static<typeof QuoteBodySchema>>
