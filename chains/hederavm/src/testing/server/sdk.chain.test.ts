import {
  AccountBalanceQuery,
  AccountCreateTransaction,
  AccountId,
  AccountInfoQuery,
  FileContentsQuery,
  Hbar,
  PrivateKey,
  TokenAssociateTransaction,
  TokenCreateTransaction,
  TokenId,
  Transaction,
  TransactionId,
  TransactionReceiptQuery,
  TransactionRecordQuery,
  TransferTransaction,
} from '@hashgraph/sdk'
import { proto } from '@hiero-ledger/proto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executed, HBAR, startTestedNetwork, statusOf } from '../testedNetwork.test.support.js'

type Network = Awaited<ReturnType<typeof startTestedNetwork>>
let network: Network
let alice: Awaited<ReturnType<Network['operator']>>

beforeAll(async () => {
  network = await startTestedNetwork()
  alice = await network.operator()
})
afterAll(() => network?.close())

const transfer = (from: AccountId, to: AccountId, tinybars: bigint) =>
  new TransferTransaction()
    .addHbarTransfer(from, Hbar.fromTinybars(String(-tinybars)))
    .addHbarTransfer(to, Hbar.fromTinybars(String(tinybars)))

const small = (id = TransactionId.generate(alice.id)) =>
  transfer(alice.id, AccountId.fromString('0.0.98'), 7n)
    .setTransactionId(id)
    .setNodeAccountIds([new AccountId(3), new AccountId(4)])

describe('the unmodified SDK', () => {
  it('creates an account, transfers HBAR, and reads receipt, record, balance and account', async () => {
    const key = PrivateKey.generateED25519()
    const create = new AccountCreateTransaction().setKeyWithoutAlias(key.publicKey).setInitialBalance(new Hbar(5))
    const { receipt } = await executed(create, alice.client)
    const bob = AccountId.fromString(String(receipt.accountId))
    const { response } = await executed(transfer(bob, alice.id, HBAR).setTransactionMemo('order'), alice.client, key)
    const record = await new TransactionRecordQuery().setTransactionId(response.transactionId).execute(alice.client)
    expect(record.transactionMemo).toBe('order')
    expect(Buffer.from(record.transactionHash)).toEqual(Buffer.from(response.transactionHash))
    expect(record.transfers.map(({ amount }) => BigInt(String(amount.toTinybars()))).reduce((a, b) => a + b)).toBe(0n)
    const balance = await new AccountBalanceQuery().setAccountId(bob).execute(alice.client)
    expect(BigInt(String(balance.hbars.toTinybars()))).toBe(4n * HBAR)
    const info = await new AccountInfoQuery().setAccountId(bob).execute(alice.client)
    expect(String(info.key)).toBe(String(key.publicKey))
    expect(info.ledgerId?.toBytes()).toEqual(Buffer.from('00011562', 'hex'))
  })

  it('creates a token, associates an account, and transfers', async () => {
    const key = PrivateKey.generateECDSA()
    const open = new AccountCreateTransaction().setKeyWithoutAlias(key.publicKey)
    const carol = AccountId.fromString(String((await executed(open, alice.client)).receipt.accountId))
    const create = new TokenCreateTransaction()
      .setTokenName('Dollar')
      .setTokenSymbol('USD')
      .setDecimals(6)
      .setInitialSupply(1000)
      .setTreasuryAccountId(alice.id)
    const token = TokenId.fromString(String((await executed(create, alice.client)).receipt.tokenId))
    const pay = (amount: number) =>
      new TransferTransaction().addTokenTransfer(token, alice.id, -amount).addTokenTransfer(token, carol, amount)
    expect(await statusOf(executed(pay(1), alice.client))).toBe('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
    const associate = new TokenAssociateTransaction().setAccountId(carol).setTokenIds([token])
    await executed(associate, alice.client, key)
    await executed(pay(400), alice.client)
    const { tokens } = await new AccountBalanceQuery().setAccountId(carol).execute(alice.client)
    expect(String(tokens?.get(token))).toBe('400')
    expect(await statusOf(executed(pay(601), alice.client))).toBe('INSUFFICIENT_TOKEN_BALANCE')
  })

  it('signs bytes that another process froze, and is refused a second time', async () => {
    const signed = await Transaction.fromBytes(small().freeze().toBytes()).sign(alice.key)
    const response = await signed.execute(alice.client)
    expect(String((await response.getReceipt(alice.client)).status)).toBe('SUCCESS')
    const again = Transaction.fromBytes(signed.toBytes())
    expect(await statusOf(again.execute(alice.client))).toBe('DUPLICATE_TRANSACTION')
  })

  it('is refused a transaction that another key signed', async () => {
    const { client } = await network.operator()
    client.setOperator(alice.id, PrivateKey.generateECDSA())
    expect(await statusOf(small().execute(client))).toBe('INVALID_SIGNATURE')
  })

  it('finds no receipt of an id that no transaction has', async () => {
    const wrong = new TransactionReceiptQuery().setTransactionId(TransactionId.generate(alice.id))
    expect(await statusOf(wrong.execute(alice.client))).toBe('RECEIPT_NOT_FOUND')
    const record = new TransactionRecordQuery().setTransactionId(TransactionId.generate(alice.id))
    expect(await statusOf(record.execute(alice.client))).toBe('RECORD_NOT_FOUND')
  })

  it('reads the exchange rate and the fee schedule from system files', async () => {
    const read = (id: string) => new FileContentsQuery().setFileId(id).execute(alice.client)
    const { currentRate } = proto.ExchangeRateSet.decode(await read('0.0.112'))
    expect([currentRate?.hbarEquiv, currentRate?.centEquiv]).toEqual([30_000, 360_000])
    const { currentFeeSchedule } = proto.CurrentAndNextFeeSchedule.decode(await read('0.0.111'))
    const functions = currentFeeSchedule?.transactionFeeSchedule?.map((one) => one.hederaFunctionality)
    expect(functions).toContain(proto.HederaFunctionality.CryptoTransfer)
    expect(functions).not.toContain(undefined)
    expect(await statusOf(read('0.0.999'))).toBe('INVALID_FILE_ID')
  })
})

describe('a consensus node', () => {
  it('retries a busy node and one that is unreachable', async () => {
    const { chain } = network
    await chain.failNext({ method: 'cryptoTransfer', error: { code: 0, message: 'BUSY' } })
    expect(await statusOf(executed(small(), alice.client))).toBe('SUCCESS')
    await chain.failNext({ method: 'cryptoTransfer', status: 503 })
    expect(await statusOf(executed(small(), alice.client))).toBe('SUCCESS')
    await chain.failNext({ method: 'cryptoTransfer', node: '0.0.5', status: 503 })
    expect(await statusOf(executed(small(), alice.client))).toBe('SUCCESS')
    await chain.clearFaults()
  })

  it('takes a transaction and loses its answer, or answers and loses the transaction', async () => {
    const { chain, reader } = network
    const [taken, lost] = [TransactionId.generate(alice.id), TransactionId.generate(alice.id)]
    await chain.failNext({ method: 'cryptoTransfer', afterAccepting: true, status: 503 })
    expect(await statusOf(executed(small(taken), alice.client))).toBe('DUPLICATE_TRANSACTION')
    await chain.failNext({ method: 'cryptoTransfer', lost: true })
    await small(lost).execute(alice.client)
    await chain.advance()
    expect((await reader.transaction(String(taken)))?.result).toBe('SUCCESS')
    expect(await reader.transaction(String(lost))).toBe(null)
    expect((await chain.counts()).cryptoTransfer).toBeGreaterThan(2)
  })

  it('has the status UNKNOWN for a transaction that waits for consensus', async () => {
    const { chain } = network
    const [first, second] = [TransactionId.generate(alice.id), TransactionId.generate(alice.id)]
    const statusNow = async (id: TransactionId) => {
      const query = new TransactionReceiptQuery().setTransactionId(id).setValidateStatus(false)
      return statusOf(query.setMaxAttempts(1).execute(alice.client))
    }
    await chain.holdTransactions()
    await small(first).execute(alice.client)
    expect(await statusNow(first)).toBe('UNKNOWN')
    await chain.dropTransactions()
    await chain.holdTransactions()
    await small(second).execute(alice.client)
    await chain.releaseTransactions()
    expect(await statusNow(second)).toBe('SUCCESS')
    expect(await statusNow(first)).toBe('RECEIPT_NOT_FOUND')
  })
})
