import { type DepositFacts, Findings } from '@causeway/core/verify'
import { describe, expect, it } from 'vitest'
import { buildPaymentStep } from '../deposit/buildDeposit.js'
import { checkXrpDeposit } from './checkXrpDeposit.js'

const ORDER = `0x${'5a'.repeat(32)}` as const
const USER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const DEPOSITORY = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const ISSUER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B'
const XRP = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'
const CHAIN_ID = 537_724

/** An issuer that takes half a per cent. */
const rpc = {
  batch: async () => {
    const data = { Account: ISSUER, Balance: '1', Flags: 0, OwnerCount: 0, Sequence: 1, TransferRate: 1_005_000_000 }
    return [{ ok: true as const, result: { account_data: data, ledger_index: 7, validated: true } }]
  },
}

type Fields = Readonly<Record<string, unknown>>

/** A step as the adapter builds it. */
const built = async (currency: string, amount: bigint, from: string = USER): Promise<Fields> => {
  const request = { from, to: { address: DEPOSITORY }, money: { currency, amount }, orderId: ORDER }
  const steps = await buildPaymentStep(request, { rpc, chainId: CHAIN_ID, networkId: 0 })
  // CAST: the one step, with its transaction.
  const [{ data }] = steps as unknown as readonly [{ readonly data: { readonly transaction: Fields } }]
  return data.transaction
}

const check = (transaction: unknown, changes: Partial<DepositFacts> = {}): Findings => {
  const findings = new Findings()
  const facts: DepositFacts = {
    orderId: ORDER,
    sender: USER,
    chainId: CHAIN_ID,
    slug: 'xrp',
    depository: DEPOSITORY,
    currency: XRP,
    decimals: 6,
    amount: 150_000n,
    paid: { currency: XRP, amount: 150_000n },
    isSwapped: false,
    swapSlippage: 0n,
    swapRouter: null,
    feePayer: USER,
    findings,
    ...changes,
  }
  const data = { transaction, chainId: CHAIN_ID }
  findings.attempt(() => checkXrpDeposit([{ id: 'deposit', depositAddress: '', data }], facts))
  return findings
}

describe('a payment that deposits', () => {
  it('is what it says, as the adapter builds it', async () => {
    expect(check(await built(XRP, 150_000n)).problems).toEqual([])
    const tagged = `${USER}?tag=7`
    expect(check(await built(XRP, 150_000n, tagged), { sender: tagged }).problems).toEqual([])
    for (const code of ['USD', '<>!', '524C555344000000000000000000000000000000']) {
      const currency = `${code}.${ISSUER}`
      const { problems, notCovered } = check(await built(currency, 150_000n), { currency })
      expect(problems).toEqual([])
      expect(notCovered.join()).toMatch(/0\.00000000015075 is spent at most/)
    }
  })

  it.each<[string, Fields, RegExp]>([
    ['another amount', { Amount: '150001' }, /What the depository gets is 150001/],
    ['an issued currency in place of XRP', { Amount: { currency: 'USD', issuer: ISSUER, value: '1' } }, /gets/],
    ['another depository', { Destination: ISSUER }, /account that is paid/],
    ['another account', { Account: ISSUER }, /account that pays/],
    ['another type', { TransactionType: 'AccountSet' }, /type of the transaction/],
    ['another order', { Memos: [{ Memo: { MemoType: '6F726465722D6964', MemoData: '3078' } }] }, /memo/],
    ['no memo', { Memos: undefined }, /memo/],
    ['a limit of what is spent', { SendMax: '1' }, /at most/],
    ['a tag of somebody else', { SourceTag: 9 }, /tag of the account/],
    ['a partial payment', { Flags: 0x0002_0000 }, /Flags/],
    ['a path', { Paths: [] }, /Paths/],
    ['a number of its own', { Sequence: 1 }, /Sequence/],
  ])('is refused with %s', async (_, fields, problem) => {
    expect(check({ ...(await built(XRP, 150_000n)), ...fields }).problems.join('; ')).toMatch(problem)
  })

  it('is refused with two memos, with what is no transaction, and where it spends another currency', async () => {
    const deposit = await built(XRP, 150_000n)
    const [memo] = deposit.Memos as readonly unknown[]
    expect(check({ ...deposit, Memos: [memo, memo] }).problems.join()).toMatch(/memo/)
    for (const none of [null, 'x', 7]) expect(check(none).problems.join()).toMatch(/no transaction/)
    const currency = `USD.${ISSUER}`
    const issued = await built(currency, 150_000n)
    const other = { ...issued, SendMax: { currency: 'EUR', issuer: ISSUER, value: '1' } }
    expect(check(other, { currency }).problems.join()).toMatch(/another currency/)
    const less = { ...issued, Amount: { currency: 'USD', issuer: ISSUER, value: '0.1' } }
    expect(check(less, { currency }).problems.join()).toMatch(/What the depository gets/)
  })
})
