import { type Clock, ServiceError } from '@causeway/core'
import type { PermitApprovals, PermitForm, PermitKind, SignedDeposits, StepItemDraft } from '@causeway/core/chain'
import { type Chain, defineQuoteExtension, type FeeLine, type QuoteDraft, type QuoteIds } from '@causeway/core/plugin'
import { checkPermitBody, expiryOf, PermitBody } from './permitBody.js'
import type { PermitFees } from './permitFees.js'
import { quotedPermit } from './quotedPermit.js'

export interface PermitQuotesDeps {
  readonly clock: Clock
  readonly fees: PermitFees
}

/** What a draft is signed by. */
interface DraftPermit {
  readonly permits: SignedDeposits
  readonly kind: PermitKind
  readonly expiresAt: number
  /** Network fee of its transaction, native smallest unit. */
  readonly charged: bigint
}

const unserved = (message: string): ServiceError => new ServiceError('UNSUPPORTED_EXECUTION_TYPE', message)

/**
 * The capability of a chain. Throws ServiceError `UNSUPPORTED_EXECUTION_TYPE` where it has none, or no key that sends for users: the payout key sends
 * nothing that runs code of users (faults.md F145).
 */
const permitsOf = ({ adapter, config }: Chain): SignedDeposits => {
  if (adapter.signedDeposits !== undefined && config.originSender !== undefined) return adapter.signedDeposits
  throw unserved(`body.usePermit is not supported on chain ${config.id}: nothing is sent for users there`)
}

const kindOf = async (permits: SignedDeposits, { originCurrency, originNative, user }: QuoteDraft) => {
  const { symbol, address } = originCurrency
  if (address === originNative.address) {
    throw unserved(`body.usePermit is for tokens: ${symbol} is the native currency, which nobody else can move`)
  }
  const kind = await permits.kindOf(address, user)
  if (kind === null) throw unserved(`body.usePermit is not supported for ${symbol}: it cannot be moved by a signature`)
  return kind
}

/** Gas of what is moved within one chain is too much for what that brings in: somebody has to sponsor it (wire.md F.2). */
const checkSameChain = ({ origin, destination, body }: QuoteDraft): void => {
  if (origin !== destination || body.subsidizeFees === true) return
  throw new ServiceError('INVALID_REQUEST', 'body.usePermit within one chain needs body.subsidizeFees to be true')
}

const feeOf = async (
  fees: PermitFees,
  { origin, originCurrency }: QuoteDraft,
  permits: SignedDeposits,
  kind: PermitKind,
) => (await fees.of(origin.config.id, permits, originCurrency.address, kind)).network.amount

/** Throws ServiceError `INSUFFICIENT_FUNDS` where the owner cannot pay for the `approve` that its signature needs. */
const requireGas = async (
  { origin, originCurrency, originNative, user }: QuoteDraft,
  { cost }: PermitApprovals,
): Promise<void> => {
  if (cost === 0n) return
  const { amounts } = await origin.adapter.getBalances([{ address: user, currency: originNative.address }])
  const balance = amounts[0] ?? null
  if (balance === null || balance >= cost) return
  const { symbol } = originCurrency
  throw new ServiceError(
    'INSUFFICIENT_FUNDS',
    `body.usePermit: ${symbol} moves by Permit2, which body.user must approve first, and it has too little ${originNative.symbol} for that transaction. Send it ${originNative.symbol}, or have POST /execute send the call of an account with EIP-7702 code.`,
  )
}

const feeLine = ({ originNative }: QuoteDraft, amount: bigint): FeeLine => ({
  bucket: 'execution',
  payer: 'user',
  money: { currency: originNative, amount },
})

/** Quotes that are paid by a signature (wire.md 1.4, F.2): the service sends the deposit, and its route or its sponsor bears what that costs. */
export const permitQuotes = ({ clock, fees }: PermitQuotesDeps) => {
  const used = new WeakMap<QuoteDraft, DraftPermit>()
  const forms = new WeakMap<QuoteDraft, PermitForm>()
  return defineQuoteExtension({
    name: 'permit',
    bodySchema: PermitBody,
    phase: 'resolve',
    conditions: (body) => {
      if (body.usePermit !== true) return null
      // CAST: the whole body, of which the schema names what is read here first.
      checkPermitBody(body as QuoteDraft['body'])
      return { plainDeposit: true }
    },
    apply: async (draft, body) => {
      if (body.usePermit !== true) return
      checkSameChain(draft)
      const permits = permitsOf(draft.origin)
      const expiresAt = Math.floor(clock.now() / 1000) + expiryOf(body)
      const kind = await kindOf(permits, draft)
      const charged = await feeOf(fees, draft, permits, kind)
      used.set(draft, { permits, kind, expiresAt, charged })
      draft.sentForUser = true
      draft.feeLines.push(feeLine(draft, charged))
    },
    deposit: async (draft, ids, { money }) => {
      const permit = used.get(draft)
      if (permit === undefined) return null
      const { orderId } = ids
      if (orderId === null) throw new Error('A quote that is paid by a signature has an order')
      const { permits, kind, expiresAt } = permit
      const terms = { kind, owner: draft.user, money, orderId, expiresAt }
      const [form, approvals] = await Promise.all([permits.form(terms), permits.approvals(terms)])
      forms.set(draft, form)
      await requireGas(draft, approvals)
      return { address: null, build: async () => [...approvals.items, signatureItem(draft, form, ids)] }
    },
    features: (draft) => (used.has(draft) ? ['gasless_swap'] : []),
    quoted: (draft) => {
      const [form, permit] = [forms.get(draft), used.get(draft)]
      return form === undefined || permit === undefined ? {} : { permit: quotedPermit(form, permit.charged) }
    },
  })
}

/** Signed by the user, and handed back with what `post` says (wire.md 1.4, A.4). */
const signatureItem = (
  { origin, destination, originCurrency }: QuoteDraft,
  { terms, sign }: PermitForm,
  { requestId }: QuoteIds,
): StepItemDraft => {
  const isWithin = origin === destination
  const api = isWithin ? 'user-swap' : 'bridge'
  return {
    stepId: isWithin ? 'authorize2' : 'authorize1',
    kind: 'signature',
    action: 'Sign in your wallet',
    description: `Allow ${originCurrency.symbol} to be deposited for this order alone; you pay no gas`,
    data: {
      sign,
      post: { endpoint: '/execute/permits', method: 'POST', body: { kind: terms.kind, requestId, api } },
    },
  }
}
