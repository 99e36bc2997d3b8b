import { PERMIT_KINDS, type PermitKind, type PermitTerms } from '@causeway/core/chain'
import { Findings, type PermitFacts, type TransactionStep } from '@causeway/core/verify'
import { describe, expect, it } from 'vitest'
import type { Contracts } from '../address/addresses.js'
import { CANONICAL_PERMIT2 } from '../options.js'
import { encodeApprove, encodeTransfer } from '../payout/contracts/staticCall.js'
import { permitForm } from '../permit/permitForm.js'
import { evm } from './index.js'

const at = (digits: string) => `0x${digits.repeat(20)}`
const TOKEN = at('34')
const STRANGER = at('66')
const ROUTER = at('78')
const CONTRACTS: Contracts = {
  chainId: 8453,
  depository: at('56'),
  fillRouter: null,
  depositAddressFactory: null,
  formerDepositAddressFactories: [],
  permits: { router: ROUTER, permit2: CANONICAL_PERMIT2 },
  directCallTargets: new Set<string>(),
  swap: null,
  recipientGasLimit: 500_000n,
}
const FACTS: Omit<PermitFacts, 'findings'> = {
  orderId: `0x${'ab'.repeat(32)}`,
  sender: at('9a'),
  chainId: 8453,
  slug: 'base',
  depository: CONTRACTS.depository,
  currency: TOKEN,
  decimals: 6,
  amount: 5_000n,
  paid: { currency: TOKEN, amount: 5_000n },
  isSwapped: false,
  swapSlippage: 0n,
  swapRouter: null,
  feePayer: at('9a'),
  permitRouter: ROUTER,
  deadline: 2_000_000_000,
}

const termsOf = (kind: PermitKind, changes: Partial<PermitTerms> = {}): PermitTerms => ({
  kind,
  owner: FACTS.sender,
  money: { currency: TOKEN, amount: 5_000n },
  orderId: FACTS.orderId as `0x${string}`,
  expiresAt: 1_900_000_000,
  ...changes,
})

/** As a client gets it. */
const signOf = (kind: PermitKind, changes: Partial<PermitTerms> = {}, contracts = CONTRACTS) => {
  const facts = { domain: { name: 'Dollar', version: '2' }, nonce: 3n }
  const { sign } = permitForm(termsOf(kind, changes), facts, contracts)
  return JSON.parse(JSON.stringify(sign)) as typeof sign
}

const check = (
  kind: string,
  sign: unknown,
  changes: Partial<PermitFacts> = {},
  transactions: readonly TransactionStep[] = [],
): Findings => {
  const findings = new Findings()
  findings.attempt(() =>
    evm.checkPermit?.(
      { transactions, signature: { id: 'authorize1', kind, sign } },
      { ...FACTS, findings, ...changes },
    ),
  )
  return findings
}

const step = (data: string, changes: Readonly<Record<string, unknown>> = {}): TransactionStep => ({
  id: 'approve',
  depositAddress: '',
  data: { from: FACTS.sender, to: TOKEN, data, value: '0', chainId: 8453, ...changes },
})

describe.each(PERMIT_KINDS)('%s', (kind) => {
  it('a signature that commits to the order is covered, with nothing left open', () => {
    expect(check(kind, signOf(kind))).toMatchObject({ problems: [], notCovered: [] })
  })

  it('without knowing the router nothing is refused, and said what stays open', () => {
    const { problems, notCovered } = check(kind, signOf(kind), { permitRouter: null })
    expect(problems).toEqual([])
    expect(notCovered).toEqual([expect.stringContaining('options.permitRouters')])
  })

  const others: readonly (readonly [string, Partial<PermitTerms>])[] = [
    ['owner', { owner: STRANGER }],
    ['token', { money: { currency: STRANGER, amount: 5_000n } }],
    ['amount', { money: { currency: TOKEN, amount: 5_001n } }],
    ['order', { orderId: `0x${'ac'.repeat(32)}` }],
    ['expiry after the order', { expiresAt: 2_000_000_001 }],
  ]
  it.each(others)('another %s is a problem', (_what, changes) => {
    expect(check(kind, signOf(kind, changes)).problems).not.toEqual([])
  })

  it('another router, chain, form or member is a problem', () => {
    const contracts = { ...CONTRACTS, permits: { router: STRANGER, permit2: CANONICAL_PERMIT2 } }
    const sign = signOf(kind)
    const types = Object(sign.types) as Record<string, readonly object[]>
    const members = types[sign.primaryType] ?? []
    const changed = [
      signOf(kind, {}, contracts),
      signOf(kind, {}, { ...CONTRACTS, chainId: 1 }),
      { ...sign, signatureKind: 'eip191' },
      { ...sign, primaryType: 'Transfer' },
      { ...sign, types: { ...types, [sign.primaryType]: members.slice(1) } },
      { ...sign, types: { ...types, [sign.primaryType]: [...members].reverse() } },
      { ...sign, types: { ...types, Extra: members } },
      { ...sign, domain: { ...Object(sign.domain), verifyingContract: null } },
      { ...sign, value: null },
    ]
    for (const each of changed) expect(check(kind, each).problems).not.toEqual([])
  })

  it('is no way to pay for a swap', () => {
    expect(check(kind, signOf(kind), { isSwapped: true }).problems).not.toEqual([])
  })
})

it('Permit2 names the depository, and another contract than the usual one is told', () => {
  expect(check('permit2', signOf('permit2'), { depository: STRANGER }).problems).not.toEqual([])
  const contracts = { ...CONTRACTS, permits: { router: ROUTER, permit2: STRANGER } }
  expect(check('permit2', signOf('permit2', {}, contracts)).notCovered.join()).toMatch(/is Permit2 on base/)
})

it('an allowance for Permit2 may come first, twice where the token wants it; nothing else may', () => {
  const [allow, reset] = [
    step(encodeApprove(CANONICAL_PERMIT2, 2n ** 256n - 1n)),
    step(encodeApprove(CANONICAL_PERMIT2, 0n)),
  ]
  const problemsOf = (steps: readonly TransactionStep[], kind: PermitKind = 'permit2') =>
    check(kind, signOf(kind), {}, steps).problems
  expect(problemsOf([allow])).toEqual([])
  expect(problemsOf([reset, allow])).toEqual([])
  const { data } = allow.data as { readonly data: string }
  const wrong = [
    [allow, allow, allow],
    [step(encodeApprove(STRANGER, 5_000n))],
    [step(encodeTransfer(CANONICAL_PERMIT2, 5_000n))],
    [step(data, { to: STRANGER })],
    [step(data, { value: '1' })],
    [step(data, { from: STRANGER })],
    [step(`${data}00`)],
    [{ ...allow, id: 'deposit' }],
  ]
  for (const steps of wrong) expect(problemsOf(steps)).not.toEqual([])
  expect(problemsOf([allow], 'eip3009')).not.toEqual([])
})

it('a kind that is not known is refused', () => {
  expect(check('constructor', signOf('eip3009')).problems).toEqual([expect.stringMatching(/cannot be checked/)])
})
