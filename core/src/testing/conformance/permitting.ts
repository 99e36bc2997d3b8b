import type { ChainMoney } from '../../chain/chainReferences.js'
import type { Payout } from '../../chain/laneAdapter.js'
import type { PermitForm, PermitTerms, SignedDeposits, SignedPermit } from '../../chain/origin/signedDeposits.js'
import type { Hex } from '../../money/hex.js'
import type { ConformanceHarness, HarnessPermits } from './conformanceHarness.js'
import { newOrderId, stored } from './depositing.js'
import { checkJson } from './paying.js'
import { check, there } from './rule.js'

/** Long enough that nothing a rule waits for outlasts it. */
const LIFE_SECONDS = 3_600

export const signedDepositsOf = ({ adapter }: Pick<ConformanceHarness, 'adapter'>): SignedDeposits =>
  there(adapter.signedDeposits, 'the adapter has no signedDeposits')

export const permitsOf = ({ permits }: ConformanceHarness): Promise<HarnessPermits> =>
  there(permits, 'the harness has no permits')()

/** What the owner of the harness is to sign, in the way that the adapter offers it. */
export const newPermitTerms = async (
  harness: ConformanceHarness,
  { owner, currency }: Pick<HarnessPermits, 'owner' | 'currency'>,
  changes: { readonly orderId?: Hex; readonly amount?: bigint } = {},
): Promise<PermitTerms> => {
  const kind = await signedDepositsOf(harness).kindOf(currency, owner)
  const money: ChainMoney = { currency, amount: changes.amount ?? harness.amount }
  return {
    kind: there(kind, `offers no way to sign for ${currency}`),
    owner,
    money,
    orderId: changes.orderId ?? newOrderId(),
    expiresAt: Math.floor(Date.now() / 1000) + LIFE_SECONDS,
  }
}

/** A form as the database gives it back. */
export const newForm = async (harness: ConformanceHarness, terms: PermitTerms): Promise<PermitForm> => {
  const form = await signedDepositsOf(harness).form(terms)
  const { domain, types, value } = form.sign
  for (const part of [domain, types, value]) checkJson('a part of what is to be signed', part)
  check(form.terms.orderId === terms.orderId, 'the form is of another order than its terms')
  return { ...form, sign: { ...form.sign, domain: stored(domain), types: stored(types), value: stored(value) } }
}

/** Signed by its owner, and taken by the adapter. */
export const newPermit = async (harness: ConformanceHarness, wallet: HarnessPermits): Promise<SignedPermit> => {
  const form = await newForm(harness, await newPermitTerms(harness, wallet))
  const signature = await signedDepositsOf(harness).check(form, await wallet.sign(form, 'owner'), { agreeing: 1 })
  return { ...form, signature }
}

/** The transaction that brings it in. */
export const originOf = ({ adapter, signer }: ConformanceHarness, permit: SignedPermit): Payout => ({
  purpose: 'origin',
  orderId: permit.terms.orderId,
  from: adapter.lane.addressOf(signer),
  to: { address: adapter.depository },
  money: permit.terms.money,
  calls: [],
  permit,
})
