import {
  AddressText,
  AmountSchema,
  AmountText,
  ChainId,
  CurrencySchema,
  Hash32,
  nullable,
  oneOf,
  RULE_KEYWORD,
  UsdText,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

/** The wallet of a path, of any chain. */
export const WalletParams = Type.Object({
  wallet: Type.String({ maxLength: 256, description: 'An address of any chain' }),
})

/** A wallet that signs claims. */
export const ClaimingWalletParams = Type.Object({
  wallet: Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    [RULE_KEYWORD]: 'must be an EVM address',
    description: 'EVM address, in any case',
  }),
})

const dollars = (description: string) => Type.Number({ description, examples: [12.5] })

/** Answer of `GET /app-fees/{wallet}/balances` (wire.md 4.12). */
export const BalancesAnswer = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        currency: CurrencySchema,
        amount: AmountText({ description: 'All of it, with what is held for fast fills' }),
        amountFormatted: Type.String(),
        amountUsd: UsdText(),
        minimumAmount: AmountText({ description: 'Least that is claimed at once' }),
      }),
    ),
    totalBalanceUsd: dollars('All of it'),
    outstandingFastFillBalanceUsd: dollars('Held for fast fills whose deposits are not settled'),
    availableBalanceUsd: dollars('What can be claimed'),
  },
  { title: 'AppFeeBalances' },
)

/** Body of `POST /app-fees/{wallet}/claim`. */
export const ClaimBodySchema = Type.Object(
  {
    chainId: ChainId({ description: 'Where it is paid' }),
    currency: AddressText({ description: 'What is paid: any that the solver holds there' }),
    recipient: AddressText({
      description: 'Who is paid, `?tag=7` or `?memo=text` behind the address where one is needed',
    }),
    amount: Type.Optional(
      AmountText({ description: 'What is taken of the balance, in its smallest unit; all when left out' }),
    ),
  },
  { title: 'AppFeeClaim' },
)

const sign = Type.Object({ signatureKind: Type.Literal('eip191'), message: Hash32() })
const post = Type.Object({
  endpoint: Type.Literal('/execute/permits'),
  method: Type.Literal('POST'),
  body: Type.Object({
    kind: Type.Literal('claim'),
    requestId: Hash32(),
    terms: Type.String({ description: 'The claim as it was offered, with its time; sent back as it is' }),
  }),
})

/** Its answer: one step to sign (wire.md 4.12, A.4). */
export const ClaimAnswer = Type.Object(
  {
    steps: Type.Array(
      Type.Object({
        id: Type.Literal('authorize'),
        action: Type.String(),
        description: Type.String(),
        kind: Type.Literal('signature'),
        requestId: Hash32(),
        items: Type.Array(Type.Object({ status: Type.Literal('incomplete'), data: Type.Object({ sign, post }) })),
      }),
    ),
  },
  { title: 'AppFeeClaimSteps' },
)

/** Query of `GET /app-fees/{wallet}/claims`. */
export const ClaimsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
  continuation: Type.Optional(Type.String({ maxLength: 512, description: 'Of the page before' })),
})

/** Its answer. */
export const ClaimsAnswer = Type.Object(
  {
    claims: Type.Array(
      Type.Object({
        claimId: Hash32(),
        wallet: Type.String(),
        recipient: Type.String(),
        currency: AmountSchema,
        txHash: nullable(Type.String()),
        status: oneOf('pending', 'success', 'failure'),
        createdAt: Type.String({ description: 'When it was signed, ISO 8601' }),
      }),
    ),
    continuation: Type.Optional(Type.String({ description: 'Absent on the last page' })),
  },
  { title: 'AppFeeClaims' },
)
