import type { Hex } from '@causeway/core'
import {
  type AmountJson,
  type ClaimPosition,
  type DatabasePool,
  defineRoute,
  listClaims,
  MessageSchema,
  type RecordCursor,
  type Route,
  type ShownClaim,
} from '@causeway/core/plugin'
import type { Static } from '@sinclair/typebox'
import { type OwedCurrenciesDeps, owedAmount, owedCurrency, pricesOf, walletOf } from './owedCurrencies.js'
import { ClaimsAnswer, ClaimsQuery, WalletParams } from './schemas.js'

export interface ClaimsRouteDeps extends OwedCurrenciesDeps {
  readonly pool: DatabasePool
  cursor(): RecordCursor
}

const STATUS: Readonly<Partial<Record<ShownClaim['state'], 'success' | 'failure'>>> = {
  included: 'success',
  final: 'success',
  dead: 'failure',
  abandoned: 'failure',
}

/** Amounts that claims paid or will pay; one whose currency is not known any more shows its smallest unit. */
const amountsOf = async (deps: OwedCurrenciesDeps, claims: readonly ShownClaim[]): Promise<readonly AmountJson[]> => {
  const keyOf = ({ chainId, currency }: ShownClaim) => `${chainId}:${currency}`
  const distinct = [...new Map(claims.map((claim) => [keyOf(claim), claim])).values()]
  const currencies = await Promise.all(distinct.map(({ chainId, currency }) => owedCurrency(deps, chainId, currency)))
  const prices = await pricesOf(deps.prices, currencies)
  const known = new Map(distinct.map((claim, at) => [keyOf(claim), { currency: currencies[at], price: prices[at] }]))
  return claims.map((claim): AmountJson => {
    const { currency, price = 0n } = known.get(keyOf(claim)) ?? {}
    if (currency === undefined) throw new Error('Each claim has a currency')
    return owedAmount({ currency, amount: claim.amount }, price)
  })
}

/** What a continuation is for. */
const questionOf = (wallet: string) => ({ list: 'claims', wallet })

const positionOf = (cursor: Pick<RecordCursor, 'read'>, text: string, wallet: string): ClaimPosition => {
  const { key, tie } = cursor.read(text, questionOf(wallet))
  // CAST: signed, so it is what was written.
  return { signedAt: key, id: tie as Hex }
}

/** A page of the claims of a wallet (as the ledger names it), newest first. */
export const claimsPage = async (
  { pool, cursor, ...deps }: ClaimsRouteDeps,
  wallet: string,
  query: Static<typeof ClaimsQuery>,
) => {
  const after = query.continuation === undefined ? null : positionOf(cursor(), query.continuation, wallet)
  const rows = await listClaims(pool, { wallet, limit: query.limit + 1, after })
  const page = rows.slice(0, query.limit)
  const amounts = await amountsOf(deps, page)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    claims: page.map(({ id, recipient, txId, state, createdAt }, at) => ({
      claimId: id,
      wallet,
      recipient,
      currency: amounts[at],
      txHash: txId,
      status: STATUS[state] ?? 'pending',
      createdAt: createdAt.toISOString(),
    })),
    ...(last === undefined
      ? {}
      : {
          continuation: cursor().write({ key: last.position.signedAt, tie: last.position.id }, questionOf(wallet)),
        }),
  }
}

/** `GET /app-fees/{wallet}/claims` (wire.md 4.12): what the wallet signed, newest first. */
export const claimsRoute = (deps: ClaimsRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/app-fees/:wallet/claims',
    summary: 'Claims of a wallet',
    description: 'Newest first; what was asked for and never signed is none.',
    tags: ['app fees'],
    bucket: 'other',
    auth: 'optional',
    params: WalletParams,
    query: ClaimsQuery,
    responses: { 200: ClaimsAnswer, 400: MessageSchema },
    handler: ({ params, query }) => claimsPage(deps, walletOf(deps.chains, params.wallet), query),
  })
