import { type Clock, type Hex, ServiceError } from '@causeway/core'
import { isNonceOpen, type NonceMappings } from '@causeway/core/chain'
import {
  ChainId,
  defineRoute,
  Hash32,
  holderOf,
  MessageSchema,
  type Route,
  type RouteInput,
  RULE_KEYWORD,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { MappedChains } from './mappedChains.js'
import { type MappingSignatureDeps, requireSignedMapping } from './mappingSignature.js'

const account = (description: string) =>
  Type.String({
    maxLength: 42,
    pattern: '^0x[0-9a-fA-F]{40}$',
    [RULE_KEYWORD]: 'must be 0x and 40 hex digits',
    description,
  })

const Query = Type.Object({
  signature: Type.String({
    minLength: 1,
    maxLength: 20_000,
    description: 'By the wallet, over what the step says in `sign` (EIP-712): hex',
  }),
})

const Body = Type.Object({
  type: Type.Literal('nonce-mapping'),
  walletChainId: ChainId({ description: 'Chain of the transfer.' }),
  wallet: account('Who signs, and sends the transfer.'),
  depositor: account('Whose money the transfer moves, as it is signed. Of a signature of version 1: the wallet.'),
  nonce: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Nonce of the transfer, Unix milliseconds: at most two days ago, and at most a day ahead.',
  }),
  id: Hash32({ description: 'The order, as the step has it.' }),
  signatureChainId: ChainId({ description: 'Chain id of the domain that was signed: that of the wallet.' }),
})

export interface AuthorizeRouteDeps extends Omit<MappingSignatureDeps, 'domainName'> {
  readonly clock: Clock
  readonly mappings: NonceMappings
  readonly mapped: Pick<MappedChains, 'slugOf'>
}

const refuse = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

const DONE = {
  registered: 'The nonce is registered for the order',
  known: 'The nonce was registered for the order before',
} as const

type Input = Omit<RouteInput<typeof Body, typeof Query>, 'params'>

const authorize = async (deps: AuthorizeRouteDeps, { body, query, caller, ctx, limit }: Input): Promise<string> => {
  const chain = deps.mapped.slugOf(body.walletChainId)
  if (chain === null)
    throw refuse('body.walletChainId is not a chain that is served here and whose transfers nonces link to orders')
  if (!isNonceOpen(body.nonce, deps.clock.now())) {
    throw refuse('body.nonce must be Unix milliseconds, at most two days ago and at most a day ahead')
  }
  const { wallet, depositor, nonce, signatureChainId } = body
  // CAST: its schema has checked the form.
  const id = body.id.toLowerCase() as Hex
  const signed = { message: { chain, wallet, depositor, id, nonce }, signatureChainId, signature: query.signature }
  await requireSignedMapping({ ...deps, domainName: deps.mappings.domainName }, signed)
  // Not before: any caller can name a wallet, and would use up its limit.
  await limit(wallet)
  const mapping = { chainId: body.walletChainId, wallet, depositor, id, nonce }
  const done = await deps.mappings.register(mapping, { holder: holderOf(caller, ctx.ip) })
  if (done === 'taken') {
    throw refuse('body.nonce is registered for another order or depositor already. Ask for a new quote.')
  }
  return DONE[done]
}

/**
 * `POST /authorize` (wire.md 2.8): a wallet says by its signature which order its transfer with a nonce is for. The first mapping of a
 * nonce stays. A signature of version 1, which names no depositor, is taken where `depositor` is the wallet.
 */
export const authorizeRoute = (deps: AuthorizeRouteDeps): Route =>
  defineRoute({
    method: 'POST',
    path: '/authorize',
    summary: 'Say which order a transfer is for',
    description:
      'For chains whose transfers cannot carry an order: takes what the `post` of the step `authorize` says, with the signature in the query. To be called before the transfer with the nonce is sent; asking again changes nothing.',
    tags: ['transactions'],
    bucket: 'other',
    subjectBucket: 'authorize',
    auth: 'optional',
    changes: true,
    query: Query,
    body: Body,
    responses: { 200: MessageSchema, 400: MessageSchema },
    handler: async (input) => ({ message: await authorize(deps, input) }),
  })
