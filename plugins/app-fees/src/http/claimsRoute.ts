import type { CurrencyRegistry, Hex } from '@causeway/core'
import type { Prices } from '@causeway/core/chain'
import {
  type AmountJson,
  amountObject,
  type ClaimPosition,
  type DatabasePool,
  defineRoute,
  listClaims,
  MessageSchema,
  type RecordCursor,
  type Route,
  type ShownClaim,
  type Usd,
} from '@causeway/core/plugin'
import type { Static } from '@sinclair/typebox'
import { ClaimsAnswer, ClaimsQuery, WalletParams } from './schemas.js'

export interface ClaimsRouteDeps {
  readonly pool: DatabasePool
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  cursor(): RecordCursor
}

const STATUS: Readonly<Partial<Record<ShownClaim['state'], 'success' | 'failure'>>> = {
  included: 'success',
  final: 'success',
  dead: 'failure',
  abandoned: 'failure',
}

/** What claims paid, or will; one whose currency is not configured any more shows its smallest unit. */
const amountsOf = async (
  { currencies, prices }: Pick<ClaimsRouteDeps, 'currencies' | 'prices'>,
  claims: readonly ShownClaim[],
): Promise<readonly AmountJson[]> => {
  const found = claims.map(({ chainId, currency }) => currencies.find(chainId, currency))
  const known = [...new Set(found)].filter((currency) => currency !== undefined)
  const listed = await prices.get(known)
  const priceOf = new Map(known.map((currency, at) => [currency, listed[at]?.usd ?? 0n]))
  return claims.map(({ chainId, currency: address, amount }, at): AmountJson => {
    const currency = found[at]
    const price: Usd = currency === undefined ? 0n : (priceOf.get(currency) ?? 0n)
    if (currency !== undefined) return amountObject({ currency, amount }, price)
    const unknown = { chainId, address, symbol: '', name: '', decimals: 0 }
    return { currency: unknown, amount: `${amount}`, amountFormatted: `${amount}.0`, amountUsd: '0.000000' }
  })
}

/** What a continuation is for. */
const questionOf = (wallet: string) => ({ list: 'claims', wallet })

const positionOf = (cursor: Pick<RecordCursor, 'read'>, text: string, wallet: string): ClaimPosition => {
  const { key, tie } = cursor.read(text, questionOf(wallet))
  // CAST: signed, so it is what was written.
  return { signedAt: key, id: tie as Hex }
}

/** A page of the claims of a wallet (in lower case), newest first. */
export const claimsPage = async (
  { pool, currencies, prices, cursor }: ClaimsRouteDeps,
  wallet: string,
  query: Static<typeof ClaimsQuery>,
) => {
  const after = query.continuation === undefined ? null : positionOf(cursor(), query.continuation, wallet)
  const rows = await listClaims(pool, { wallet, limit: query.limit + 1, after })
  const page = rows.slice(0, query.limit)
  const amounts = await amountsOf({ currencies, prices }, page)
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
    handler: ({ params, query }) => claimsPage(deps, params.wallet.toLowerCase(), query),
  })
