import type { Hex } from '@causeway/core'
import type { RpcCall } from '@causeway/core/chain-kit'
import { encodeForSigning } from 'ripple-binary-codec'
import { expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { buildPaymentStep } from './buildDeposit.js'
import { depositOrderId } from './memos.js'

const ORDER: Hex = `0x${'ab'.repeat(32)}`
const USER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const DEPOSITORY = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const ISSUER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B'
const USD = `USD.${ISSUER}`
const UNIT = 10n ** 15n

/** A node whose issuer takes 0.25 % of every transfer. */
const rpc = {
  batch: async (calls: readonly RpcCall[]) =>
    calls.map(() => {
      const data = { Account: ISSUER, Balance: '1', Flags: 0, OwnerCount: 0, Sequence: 1, TransferRate: 1_002_500_000 }
      return { ok: true as const, result: { account_data: data, ledger_index: 7, validated: true } }
    }),
}

const build = async (request: object = {}, networkId = 0) => {
  const whole = { from: USER, to: { address: DEPOSITORY }, money: { currency: NATIVE, amount: 7n }, orderId: ORDER }
  const [step] = await buildPaymentStep({ ...whole, ...request }, { rpc, chainId: 537_724, networkId })
  // CAST: what a step of this chain has.
  return step?.data as unknown as { readonly chainId: number; readonly transaction: Readonly<Record<string, unknown>> }
}

it('a deposit is one payment with the order in its memo and nothing that the wallet fills in (chains.md xrpvm 3)', async () => {
  const { transaction, chainId } = await build()
  expect(chainId).toBe(537_724)
  expect(transaction).toEqual({
    TransactionType: 'Payment',
    Account: USER,
    Destination: DEPOSITORY,
    Amount: '7',
    Memos: expect.any(Array),
  })
  expect(depositOrderId(transaction.Memos)).toBe(ORDER)
  expect(encodeForSigning({ ...transaction, Fee: '10', Sequence: 1 })).toMatch(/^5354580012/)
})

it('the most that is spent is named where the issuer takes something, but not of the issuer itself', async () => {
  const money = { currency: USD, amount: 4n * UNIT }
  expect((await build({ money })).transaction).toMatchObject({
    Amount: { currency: 'USD', issuer: ISSUER, value: '4' },
    SendMax: { currency: 'USD', issuer: ISSUER, value: '4.01' },
  })
  expect((await build({ money, from: ISSUER })).transaction).not.toHaveProperty('SendMax')
})

it('what is spent at most is never less than the transfer takes, in 15 digits', async () => {
  const money = { currency: USD, amount: 1_234_567_890_123_450n }
  const { transaction } = await build({ money })
  expect(transaction.SendMax).toEqual({ currency: 'USD', issuer: ISSUER, value: '1.23765430984876' })
})

it('a sender with a tag is named with it, a network with a large id too, and an amount that cannot be written is refused', async () => {
  const { transaction } = await build({ from: `${USER}?tag=9`, to: { address: DEPOSITORY, tag: 0 } }, 21_337)
  expect(transaction).toMatchObject({ SourceTag: 9, DestinationTag: 0, NetworkID: 21_337 })
  await expect(build({ money: { currency: USD, amount: 12_345_678_901_234_567n } })).rejects.toThrow(/digits/)
  await expect(build({ from: DEPOSITORY })).rejects.toThrow(/itself/)
})
