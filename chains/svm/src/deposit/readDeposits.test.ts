import { readFileSync } from 'node:fs'
import type { RpcCall, RpcOutcome } from '@causeway/core/chain-kit'
import { expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { readAnswer } from '../rpc/answers.js'
import type { BlockReader } from '../rpc/head/blockReader.js'
import type { RpcTransaction } from '../rpc/wire.js'
import { type ReadDeps, readAlone, readDeposits } from './readDeposits.js'
import { recogniseDeposits } from './recognise/recognise.js'

interface Recorded {
  readonly facts: { readonly errorAtLowerMaximum: { readonly code: number; readonly message: string } }
  readonly recorded: { readonly answer: RpcTransaction }
}

const { facts, recorded }: Recorded = JSON.parse(
  readFileSync(new URL('./recognise/fixtures/transactionV1.json', import.meta.url), 'utf8'),
)
const { answer } = recorded
const [sender = '', recipient = ''] = answer.transaction.message.accountKeys
const hit = { signature: answer.transaction.signatures[0] ?? '', slot: BigInt(answer.slot), failed: false }

/** A node that shows its transaction of version 1 to whoever asks for that. */
const ask = async (calls: readonly RpcCall[]): Promise<RpcOutcome[]> =>
  calls.map(({ params }) =>
    Number(Reflect.get(Object(params[1]), 'maxSupportedTransactionVersion')) >= 1
      ? { ok: true, result: answer }
      : { ok: false, error: facts.errorAtLowerMaximum },
  )

const block = { height: hit.slot, hash: 'block', time: answer.blockTime ?? 0 }

const depsOf = (unreadable: string[]): ReadDeps => ({
  depository: recipient,
  program: null,
  // CAST: nothing else of it is asked.
  blocks: { read: async () => new Map([[hit.slot, block]]) } as unknown as BlockReader,
  batch: 10,
  onUnreadable: ({ signature }) => void unreadable.push(signature),
})

test('a deposit by a transaction of version 1, as recorded on the main network, is read', async () => {
  const unreadable: string[] = []
  const deposit = { money: { currency: NATIVE, amount: 2_000_000n }, depositor: sender, position: 0, block, fee: 5000n }
  const reading = await readDeposits([hit], hit.slot, ask, depsOf(unreadable))
  expect(reading).toMatchObject({ deposits: [deposit], read: [hit], missing: null })
  expect(await readAlone(hit, hit.slot, ask, depsOf(unreadable))).toMatchObject([deposit])
  expect(unreadable).toEqual([])
})

test('what a node refuses for its version is passed over, and told', async () => {
  const refusing = async (calls: readonly RpcCall[]): Promise<RpcOutcome[]> =>
    calls.map(() => ({ ok: false, error: facts.errorAtLowerMaximum }))
  const unreadable: string[] = []
  expect(await readDeposits([hit], hit.slot, refusing, depsOf(unreadable))).toMatchObject({ deposits: [], read: [hit] })
  expect(unreadable).toEqual([hit.signature])
})

/** Transfers of the main network, the test network and a simulator, as explorers recorded them. */
const {
  transactions,
}: { readonly transactions: readonly { readonly file: string; readonly answer: RpcTransaction }[] } = JSON.parse(
  readFileSync(new URL('./recognise/fixtures/transactions.json', import.meta.url), 'utf8'),
)

test.each(transactions)(
  'each account that $file pays is credited with the amount and the sender',
  ({ answer: raw }) => {
    const read = readAnswer(raw, { method: 'getTransaction', params: [] }) as RpcTransaction
    const { accountKeys } = read.transaction.message
    const gains = accountKeys.map((key, at) => ({
      key,
      amount: BigInt(read.meta?.postBalances[at] ?? 0) - BigInt(read.meta?.preBalances[at] ?? 0),
    }))
    const paid = gains.filter(({ amount }) => amount > 0n)
    for (const { key, amount } of paid) {
      const found = recogniseDeposits(read, key, null, block).filter(({ money }) => money.currency === NATIVE)
      expect(
        found.map(({ money }) => money.amount),
        key,
      ).toEqual([amount])
      expect(accountKeys, key).toContain(found[0]?.depositor)
    }
    for (const owner of new Set((read.meta?.postTokenBalances ?? []).map((balance) => balance.owner ?? ''))) {
      const tokens = recogniseDeposits(read, owner, null, block).filter(({ money }) => money.currency !== NATIVE)
      expect(
        tokens.map(({ money }) => money),
        owner,
      ).toEqual(tokenGains(read, owner))
    }
  },
)

const tokenGains = ({ meta }: RpcTransaction, owner: string) =>
  (meta?.postTokenBalances ?? []).flatMap((after) => {
    const before = meta?.preTokenBalances?.find(({ accountIndex }) => accountIndex === after.accountIndex)
    const amount = BigInt(after.uiTokenAmount.amount) - BigInt(before?.uiTokenAmount.amount ?? 0)
    return after.owner === owner && amount > 0n ? [{ currency: after.mint, amount }] : []
  })
