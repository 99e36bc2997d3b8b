import type { ParkedDeposit } from '@causeway/core/money-path'
import { expect, it } from 'vitest'
import type { OperatorDeps } from '../operatorDeps.js'
import { planPayBack } from './payBack.js'

const MONEY = { currency: 'coin', amount: 300_000_001n }
const BLOCK = { height: 5n, hash: '0xb10c', time: 1 }

/** An operator's refund to the sender of a deposit, and the questions that it put to the providers. */
const payBack = (confirms: boolean) => {
  const asked: unknown[] = []
  const adapter = {
    ...{ capabilities: { destinationTag: false }, native: { address: 'coin' }, depository: 'vault' },
    sameAddress: (left: string, right: string) => left === right,
    tip: async () => ({ ...BLOCK, height: 90n }),
    validateAddress: (text: string) => ({ ok: true, canonical: text }),
    recheckDeposits: async () => [{ finding: 'present', deposit: { money: MONEY, orderId: null } }],
    confirmDeposit: async (deposit: { money: unknown }, { agreeing }: { agreeing: number }) => {
      asked.push([deposit.money, agreeing])
      return confirms
    },
  }
  const rpc = [{ http: 'http://a' }, { http: 'http://b' }]
  const tiers = [{ aboveUsd: '100', agreeing: 2, confirmations: 1 }]
  const config = { id: 7, slug: 'seven', rpc, confirmations: { settle: 3, fill: 1 }, quorum: tiers }
  const chain = { adapter, config }
  const deps = {
    chains: { get: () => chain },
    currencies: { find: () => ({ chainId: 7, address: 'coin', symbol: 'COIN', decimals: 6 }) },
    prices: { get: async () => [] },
    withChain: (_: unknown, work: () => Promise<unknown>) => work(),
  }
  const deposit = {
    ...{ id: '2', chainId: 7, txId: 'tx', position: 0, state: 'included', orderId: null, onchainId: '0x01' },
    ...{ ...MONEY, parked: MONEY.amount, depositor: 'user', block: BLOCK, outcome: null, request: null },
    ...{ payouts: {}, paid: [], parkedReason: 'test' },
  }
  // CAST: nothing else of them is read before the providers are asked.
  const plan = planPayBack(deps as unknown as OperatorDeps, deposit as unknown as ParkedDeposit, null)
  return { asked, refusal: plan.then(String, (error: Error) => error.message) }
}

it('invariant 3: an operator pays back no amount that too few providers show', async () => {
  const { asked, refusal } = payBack(false)
  expect(await refusal).toMatch(/^Too few providers of seven show deposit 2 with 300000001 units/)
  expect(asked).toEqual([[MONEY, 2]])
  expect(await payBack(true).refusal).not.toMatch(/Too few providers/)
})
