import type { ChainAdapter, ChainConfig, PermitTerms, SignedDeposits } from '@causeway/core/chain'
import type { QuoteDraft, QuoteIds } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { PermitFees } from './permitFees.js'
import { permitQuotes } from './permitQuotes.js'

const clock = { now: () => 1_700_000_000_000 }
const IDS: QuoteIds = { requestId: `0x${'01'.repeat(32)}`, orderId: `0x${'02'.repeat(32)}`, orderDeadline: 1 }
const APPROVE = { stepId: 'approve', kind: 'transaction', action: 'a', description: 'd', data: {} } as const
const native = { address: 'native', symbol: 'ETH' }

/** A chain whose token moves by Permit2; its owner has so much of the native currency, or no node tells. */
const draftOf = (balance: bigint | null, cost: bigint): QuoteDraft => {
  const permits: Partial<SignedDeposits> = {
    kindOf: async () => 'permit2',
    form: async (terms: PermitTerms) => ({ terms, sign: { signatureKind: 'eip712' } }) as never,
    approvals: async () => ({ items: cost === 0n ? [] : [APPROVE], cost }),
    fee: async () => ({ network: { amount: 1n } }) as never,
  }
  const adapter: Partial<ChainAdapter> = {
    signedDeposits: permits as SignedDeposits,
    getBalances: async (queries) => {
      expect(queries).toEqual([{ address: 'owner', currency: 'native' }])
      return { amounts: [balance], height: 1n }
    },
  }
  const draft = {
    body: { usePermit: true },
    origin: { config: { id: 1, originSender: 'sender' } as ChainConfig, adapter },
    ...{ originCurrency: { address: 'token', symbol: 'USDT' }, originNative: native, user: 'owner', feeLines: [] },
  }
  // CAST: what the extension reads of a draft.
  return draft as unknown as QuoteDraft
}

const stepsOf = async (draft: QuoteDraft): Promise<readonly string[]> => {
  const extension = permitQuotes({ clock, fees: new PermitFees(clock) })
  await extension.apply(draft, { usePermit: true })
  const replaced = await extension.deposit?.(draft, IDS, { money: { currency: 'token', amount: 5n } })
  return ((await replaced?.build()) ?? []).map(({ stepId }) => stepId)
}

it.each([
  { balance: 100n, cost: 100n, steps: ['approve', 'authorize1'] },
  { balance: null, cost: 100n, steps: ['approve', 'authorize1'] },
  { balance: 0n, cost: 0n, steps: ['authorize1'] },
])('a token of Permit2 is signed for after its approve, with $balance for $cost (wire.md F.2)', async (row) => {
  expect(await stepsOf(draftOf(row.balance, row.cost))).toEqual(row.steps)
})

it('an account that cannot pay for the approve of Permit2 is refused with the remedy (wire.md F.2)', async () => {
  await expect(stepsOf(draftOf(99n, 100n))).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
    message: expect.stringMatching(/USDT moves by Permit2.*too little ETH.*POST \/execute/),
  })
})
