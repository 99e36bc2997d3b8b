import {
  AccountId,
  Client,
  Hbar,
  LocalProvider,
  Long,
  PrivateKey,
  Transaction,
  TransferTransaction,
  Wallet,
} from '@hashgraph/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HederaAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import {
  HBAR,
  type HederaWorld,
  newKey,
  only,
  openHederaWorld,
  type TestAccountKey,
} from '../hederaWorld.test.support.js'

/** The step of a deposit as its wallet reads it. */
interface StepData {
  readonly transfers: readonly { readonly accountId: string; readonly amount: string; readonly tokenId?: string }[]
  readonly memo: string
  readonly maxTransactionFee: string
  readonly transaction: string
}

const ORDER = `0x${'ab'.repeat(32)}` as const
const NODES_OF_THE_NETWORK = 3

let world: HederaWorld
let adapter: HederaAdapter
let client: Client
let user: { readonly key: TestAccountKey; readonly id: string }

beforeAll(async () => {
  world = await openHederaWorld()
  adapter = world.adapterOver()
  await adapter.start(new AbortController().signal)
  client = Client.forNetwork(await world.reader.nodes(), { scheduleNetworkUpdate: false })
  const key = newKey()
  user = { key, id: await world.open(key, { maxAutomaticTokenAssociations: -1 }) }
  await world.chain.fund(key.address, 100n * HBAR)
  await world.chain.fund(key.address, 100n, world.token)
}, 60_000)

afterAll(async () => {
  client?.close()
  await adapter?.stop()
  await world?.chain.close()
})

const stepOf = async (currency: string, amount: bigint): Promise<StepData> => {
  const request = { money: { currency, amount }, orderId: ORDER, explicitDeposit: false, from: user.id }
  // CAST: the data of a step of this chain (chains.md hederavm 3).
  return only(await adapter.buildDeposit(request)).data as unknown as StepData
}

/** Builds the transfer from the normative fields alone, as a wallet does that does not read the bytes. */
const rebuilt = ({ transfers, memo, maxTransactionFee }: StepData): TransferTransaction => {
  const transaction = new TransferTransaction()
  for (const { accountId, amount, tokenId } of transfers) {
    if (tokenId === undefined) transaction.addHbarTransfer(accountId, Hbar.fromTinybars(amount))
    else transaction.addTokenTransfer(tokenId, accountId, Long.fromString(amount))
  }
  return transaction.setTransactionMemo(memo).setMaxTransactionFee(Hbar.fromTinybars(maxTransactionFee))
}

describe('wallets of Hedera take the step of a deposit (chains.md hederavm 3)', () => {
  it.each([
    ['HBAR', () => NATIVE, HBAR],
    ['a token', () => world.token, 7n],
  ])('of %s: the fields rebuild into the bytes beside them', async (_, currency, amount) => {
    const step = await stepOf(currency(), amount)
    expect(Buffer.from(rebuilt(step).toBytes()).toString('base64')).toBe(step.transaction)
    const read = Transaction.fromBytes(Buffer.from(step.transaction, 'base64'))
    expect(read.transactionMemo).toBe(ORDER)
    expect([read.transactionId, read.nodeAccountIds]).toEqual([null, null])
    expect(read.maxTransactionFee?.toTinybars().toString()).toBe(step.maxTransactionFee)
  })

  it.each([
    ['HBAR', () => NATIVE, 2n * HBAR],
    ['a token', () => world.token, 9n],
  ])('of %s: the wallet of the SDK completes, signs and sends the bytes', async (_, currency, amount) => {
    const { transaction } = await stepOf(currency(), amount)
    const key = PrivateKey.fromStringECDSA(user.key.secret)
    const wallet = new Wallet(AccountId.fromString(user.id), key, LocalProvider.fromClient(client))
    const held = () => world.reader.balance(world.vault.address, currency())
    const before = await held()
    const completed = await wallet.populateTransaction(Transaction.fromBytes(Buffer.from(transaction, 'base64')))
    expect(completed.nodeAccountIds?.length).toBeLessThanOrEqual(NODES_OF_THE_NETWORK)
    const signed = await wallet.signTransaction(completed.freezeWith(client))
    const { transactionId } = await wallet.call(signed)
    await world.chain.advance()
    const id = transactionId.toString()
    expect(await world.reader.succeeded(id)).toBe(true)
    expect((await held()) - before).toBe(amount)
    expect(await adapter.findTransaction({ id })).toMatchObject({ status: 'success', depositOrderIds: [ORDER] })
  })
})
