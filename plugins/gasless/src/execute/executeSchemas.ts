import { REVERT_TYPES } from '@causeway/core/chain'
import { AmountText, ChainId, Hash32, RULE_KEYWORD, StatusCode } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

/** Bytes that a node still takes in one transaction, less what stands around a call. */
const MAX_DATA_BYTES = 128 * 1024 - 2_048
/** More delegations than accounts that one call can be for. */
const MAX_DELEGATIONS = 10

const Address = (description: string) =>
  Type.String({
    maxLength: 42,
    pattern: '^0x[0-9a-fA-F]{40}$',
    [RULE_KEYWORD]: 'must be 0x and 40 hex digits',
    description,
  })

const Data = (description: string) =>
  Type.String({
    maxLength: 2 + 2 * MAX_DATA_BYTES,
    pattern: '^0x([0-9a-fA-F]{2})*$',
    [RULE_KEYWORD]: `must be 0x and pairs of hex digits, at most ${MAX_DATA_BYTES} bytes: a transaction carries no more`,
    description,
  })

const Authorization = Type.Object({
  chainId: Type.Number(),
  address: Type.String({ maxLength: 256 }),
  nonce: Type.Number(),
  yParity: Type.Number(),
  r: Type.String({ maxLength: 256 }),
  s: Type.String({ maxLength: 256 }),
})

const Authorizations = (description: string) => Type.Array(Authorization, { maxItems: MAX_DELEGATIONS, description })

const DestinationCall = Type.Object({
  to: Type.String({ maxLength: 256 }),
  value: Type.Optional(AmountText()),
  data: Type.Optional(Data('Calldata')),
})

/** Body of `POST /execute` (wire.md 2.6). Unknown fields are ignored. */
export const ExecuteBody = Type.Object(
  {
    executionKind: Type.Literal('rawCalls', { description: 'The only kind' }),
    data: Type.Object({
      chainId: ChainId(),
      to: Address('Smart account, entry point, or the delegated account itself'),
      data: Data('Calldata'),
      value: AmountText({
        description: 'Native currency with the call, wei. Nobody is charged for any, so it must be `"0"`',
      }),
      authorizationList: Type.Optional(
        Authorizations('EIP-7702 authorizations that the transaction applies, for its own chain'),
      ),
    }),
    executionOptions: Type.Optional(
      Type.Object({
        referrer: Type.Optional(Type.String({ maxLength: 256, description: 'Attribution; empty counts as not set' })),
        subsidizeFees: Type.Optional(
          Type.Boolean({
            description: 'The balance of the key’s funding wallet pays the network fee, where it covers it',
          }),
        ),
        destinationChainExecutionData: Type.Optional(
          Type.Object({
            calls: Type.Optional(Type.Array(DestinationCall, { maxItems: 100 })),
            authorizationList: Type.Optional(Authorizations('EIP-7702 authorizations for the destination')),
          }),
        ),
      }),
    ),
    requestId: Type.Optional(
      Hash32({ description: 'The quote whose deposit the call makes; without it the call is a request of its own' }),
    ),
    ownerSignature: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: 'By `user` of a quote that was asked for without a key: the personal message of wire.md 2.6, hex',
      }),
    ),
    originGasOverhead: Type.Optional(
      Type.Union([Type.Number(), Type.String({ maxLength: 78 })], {
        description: 'Accepted, without effect: what counts is that of the quote',
      }),
    ),
  },
  { title: 'ExecuteRequest' },
)

export type ExecuteBody = Static<typeof ExecuteBody>

export const ExecuteAnswer = Type.Object(
  { message: Type.String(), requestId: Hash32({ description: 'For GET /intents/status/v3' }) },
  { title: 'ExecuteAnswer' },
)

const optionalText = () => Type.Optional(Type.String())

const Frame = Type.Object(
  {
    type: Type.String({ description: 'CALL, DELEGATECALL, CREATE ...' }),
    address: optionalText(),
    contract: optionalText(),
    function: optionalText(),
    selector: optionalText(),
    error: optionalText(),
    revertReason: optionalText(),
    gasUsed: optionalText(),
  },
  { title: 'ExecuteFrame' },
)

const Details = Type.Object(
  {
    topLevel: Frame,
    innermost: Frame,
    path: Type.Array(Frame),
    revert: Type.Object({
      type: Type.Union(REVERT_TYPES.map((word) => Type.Literal(word))),
      label: Type.String(),
      message: Type.String(),
      selector: optionalText(),
      name: optionalText(),
      args: Type.Optional(Type.Record(Type.String(), Type.String())),
      rawArgsHex: optionalText(),
    }),
  },
  { title: 'ExecuteFailure' },
)

/** 400: not valid, or the simulation failed. */
export const ExecuteRefusal = Type.Object(
  {
    error: Type.String({ description: 'What is wrong; of a call that would revert the decoded label' }),
    statusCode: StatusCode(),
    message: Type.Optional(Type.String({ description: 'Of a call that would revert: plain words' })),
    requestId: Type.Optional(Type.String()),
    details: Type.Optional(Details),
  },
  { title: 'ExecuteRefusal' },
)
