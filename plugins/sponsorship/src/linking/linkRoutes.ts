import { type Currency, formatAmount, ServiceError } from '@causeway/core'
import {
  AmountText,
  type Caller,
  CurrencySchema,
  currencyJson,
  defineRoute,
  type FundingWallet,
  HttpError,
  MessageSchema,
  type Route,
  SignedAmountText,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { readWallet, type WalletLinks } from './walletLinks.js'

export interface LinkRoutesDeps {
  readonly links: WalletLinks
  readonly balanceCurrency: Currency
}

const PATH = '/integrators/funding-wallet'
const REFUSALS = { 403: MessageSchema } as const

const WalletText = () => Type.String({ maxLength: 64, description: 'EVM address of the wallet that pays' })

export const FundingWalletSchema = Type.Object(
  {
    wallet: Type.String(),
    linkedAt: Type.String({ description: 'ISO 8601' }),
    currency: CurrencySchema,
    balance: AmountText({ description: 'What the wallet is owed and free to use' }),
    balanceFormatted: Type.String(),
    available: SignedAmountText({ description: 'What of it no quote keeps now; below 0 where quotes keep more' }),
  },
  { title: 'FundingWallet' },
)

/** A linked wallet as it is shown. */
export const walletJson = (
  { wallet, linkedAt, balance, free }: FundingWallet,
  currency: Currency,
): Static<typeof FundingWalletSchema> => ({
  wallet,
  linkedAt: linkedAt.toISOString(),
  currency: currencyJson(currency),
  balance: balance.toString(),
  balanceFormatted: formatAmount(balance, currency.decimals),
  available: free.toString(),
})

/** Throws HttpError 404. */
export const shownWallet = async ({ links, balanceCurrency }: LinkRoutesDeps, integratorId: string) => {
  const found = await links.find(integratorId)
  if (found === null) throw new HttpError(404, 'No wallet is linked to this integrator')
  return walletJson(found, balanceCurrency)
}

/** A key that an `Origin` header adds owns nothing: anybody can send that header. */
const refuseProxied = (_body: unknown, caller: Caller): void => {
  if (caller.kind === 'integrator' && caller.proxied === true)
    throw new ServiceError('FORBIDDEN', 'Only with the key itself; one that is added for a browser links no wallet')
}

const ownerOf = (caller: Caller): { readonly integratorId: string; readonly actor: string } => {
  if (caller.kind === 'anonymous') throw new Error('The route needs a key')
  return { integratorId: caller.integratorId, actor: `api key ${caller.apiKeyId}` }
}

const shared = { tags: ['integrators'], bucket: 'other', auth: 'required', authorize: refuseProxied } as const

const messageRoute = ({ links }: LinkRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'POST',
    path: `${PATH}/message`,
    summary: 'The text that a wallet signs (EIP-191) to pay for your integrator, for ten minutes and once',
    body: Type.Object({ wallet: WalletText() }),
    responses: {
      200: Type.Object({
        message: Type.String(),
        nonce: Type.String(),
        expiresAt: Type.String({ description: 'ISO 8601' }),
      }),
      400: MessageSchema,
      ...REFUSALS,
    },
    handler: async ({ body, caller }) => {
      const { integratorId } = ownerOf(caller)
      const { message, nonce, expiresAt } = links.message({ integratorId, wallet: readWallet(body.wallet) })
      return { message, nonce, expiresAt: new Date(expiresAt).toISOString() }
    },
  })

const linkRoute = (deps: LinkRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'PUT',
    path: PATH,
    summary: 'Link the wallet whose balance pays for what you sponsor, in place of the one before',
    description: 'Of contract wallets the one on the chain of balances is asked (EIP-1271, ERC-6492).',
    body: Type.Object({
      wallet: WalletText(),
      nonce: Type.String({ maxLength: 200, description: 'As it was given with the message' }),
      signature: Type.String({ maxLength: 17_000, description: 'By the wallet, of the message' }),
    }),
    responses: { 200: FundingWalletSchema, 400: MessageSchema, ...REFUSALS, 503: MessageSchema },
    handler: async ({ body: { wallet, nonce, signature }, caller }) => {
      const { integratorId, actor } = ownerOf(caller)
      await deps.links.link({ integratorId, wallet: readWallet(wallet), nonce, signature }, { actor })
      return shownWallet(deps, integratorId)
    },
  })

const readRoute = (deps: LinkRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'GET',
    path: PATH,
    summary: 'The linked wallet, and what it has to pay with',
    responses: { 200: FundingWalletSchema, ...REFUSALS, 404: MessageSchema },
    handler: ({ caller }) => shownWallet(deps, ownerOf(caller).integratorId),
  })

const unlinkRoute = ({ links }: LinkRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: PATH,
    summary: 'Take the link back; quotes already given keep it',
    responses: { 200: Type.Object({ wallet: Type.String() }), ...REFUSALS, 404: MessageSchema },
    handler: async ({ caller }) => {
      const { integratorId, actor } = ownerOf(caller)
      const wallet = await links.unlink(integratorId, { actor })
      if (wallet === null) throw new HttpError(404, 'No wallet is linked to this integrator')
      return { wallet }
    },
  })

/** What an integrator does with its key. */
export const linkRoutes = (deps: LinkRoutesDeps): readonly Route[] => [
  messageRoute(deps),
  linkRoute(deps),
  readRoute(deps),
  unlinkRoute(deps),
]
