import { defineRoute, MessageSchema, type Route } from '@causeway/core/plugin'
import type { AskedClaim, ClaimDesk } from '../claims/claimDesk.js'
import { moneyText } from './moneyText.js'
import { ClaimAnswer, ClaimBodySchema, ClaimingWalletParams } from './schemas.js'

const describe = ({ taken, paid, recipient }: AskedClaim): string => {
  const isOwn = taken.currency.chainId === paid.currency.chainId && taken.currency.address === paid.currency.address
  const what = isOwn ? moneyText(paid) : `${moneyText(taken)} as about ${moneyText(paid)}`
  return `Claim ${what} on chain ${paid.currency.chainId} for ${recipient}`
}

/** One step that the wallet signs; what it signs are the 32 bytes of the claim's id (wire.md 4.12, A.4). */
const stepsOf = (claim: AskedClaim) => [
  {
    id: 'authorize',
    action: 'Sign the claim in your wallet',
    description: describe(claim),
    kind: 'signature',
    requestId: claim.id,
    items: [
      {
        status: 'incomplete',
        data: {
          sign: { signatureKind: 'eip191', message: claim.id },
          post: {
            endpoint: '/execute/permits',
            method: 'POST',
            body: { kind: 'claim', requestId: claim.id, terms: claim.terms },
          },
        },
      },
    ],
  },
]

/** `POST /app-fees/{wallet}/claim` (wire.md 4.12). Any caller may ask: the service stores and pays a claim once its wallet has signed. */
export const claimRoute = (desk: Pick<ClaimDesk, 'ask'>): Route =>
  defineRoute({
    method: 'POST',
    path: '/app-fees/:wallet/claim',
    summary: 'Claim what a wallet is owed',
    description:
      'Answers what the wallet signs; its signature goes to `POST /execute/permits` with the body of the step. Each claim pays its network cost; another currency is paid at the checked price less a fee.',
    tags: ['app fees'],
    bucket: 'other',
    auth: 'optional',
    changes: true,
    params: ClaimingWalletParams,
    body: ClaimBodySchema,
    responses: { 200: ClaimAnswer, 400: MessageSchema },
    handler: async ({ params, body }) => ({ steps: stepsOf(await desk.ask(params.wallet.toLowerCase(), body)) }),
  })
