import type { Hex } from '@causeway/core'
import { type DepositEvent, NOTHING_LIVE, type WatchPage } from '@causeway/core/chain'
import type { proto } from '@hiero-ledger/proto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { HederaAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { HBAR, type HederaWorld, newKey, only, openHederaWorld } from '../hederaWorld.test.support.js'
import { accountIdOf, int64, tokenIdOf } from '../testing/engine/values.js'

const ORDER: Hex = `0x${'ab'.repeat(32)}`

let world: HederaWorld
let payer: string
const adapters: HederaAdapter[] = []

beforeAll(async () => {
  world = await openHederaWorld()
  payer = await world.freshAccount({ maxAutomaticTokenAssociations: -1 })
  await world.chain.fund(payer, 1000n * HBAR)
  await world.chain.fund(payer, 1000n * HBAR, world.token)
}, 60_000)

afterEach(async () => {
  for (const adapter of adapters.splice(0)) await adapter.stop()
  await world.chain.clearFaults()
  await world.chain.forget(0)
  await world.chain.lag(0)
})

afterAll(() => world?.chain.close())

const started = async (...made: Parameters<HederaWorld['adapterOver']>): Promise<HederaAdapter> => {
  const adapter = world.adapterOver(...made)
  adapters.push(adapter)
  await adapter.start(new AbortController().signal)
  return adapter
}

/** Deposits of the blocks above a height, up to the newest one. */
const depositsSince = async (adapter: HederaAdapter, height: number): Promise<readonly DepositEvent[]> => {
  const newest = BigInt(await world.chain.height())
  const found: DepositEvent[] = []
  const stop = new AbortController()
  const cursor: WatchPage['cursor'] = await adapter.cursorAt(BigInt(height + 1))
  for await (const page of adapter.watch(cursor, NOTHING_LIVE, stop.signal)) {
    found.push(...page.deposits)
    if (page.height >= newest) stop.abort()
  }
  return found
}

type Moves = readonly (readonly [account: string, amount: bigint])[]

const amounts = (moves: Moves): proto.IAccountAmount[] =>
  moves.map(([account, amount]) => ({ accountID: accountIdOf(account), amount: int64(amount) }))

const transfers = (...moves: Moves): proto.ITransactionBody => ({
  cryptoTransfer: { transfers: { accountAmounts: amounts(moves) } },
})

const tokenTransfers = (token: string, ...moves: Moves): proto.ITransactionBody => ({
  cryptoTransfer: { tokenTransfers: [{ token: tokenIdOf(token), transfers: amounts(moves) }] },
})

/** Deposits of one transaction, read by a new adapter. */
const depositsOf = async (body: proto.ITransactionBody): Promise<readonly DepositEvent[]> => {
  const height = await world.chain.height()
  await world.chain.apply({ memo: ORDER, ...body })
  return depositsSince(await started(), height)
}

describe('a deposit', () => {
  it('of HBAR and of a token has its order, its depositor and a time within its block', async () => {
    const { depositoryId, token } = world
    expect(await depositsOf(transfers([payer, -HBAR], [depositoryId, HBAR]))).toMatchObject([
      {
        ...{ orderId: ORDER, depositor: payer, source: payer, position: 0, depository: world.vault.address },
        money: { currency: NATIVE, amount: HBAR },
      },
    ])
    expect(await depositsOf(tokenTransfers(token, [payer, -7n], [depositoryId, 7n]))).toMatchObject([
      { orderId: ORDER, depositor: payer, money: { currency: token, amount: 7n } },
    ])
  })

  it('beside credits of other accounts is the part of the depository', async () => {
    const other = await world.freshAccount()
    const body = transfers([payer, -3n * HBAR], [other, HBAR], [world.depositoryId, 2n * HBAR])
    expect(await depositsOf(body)).toMatchObject([{ orderId: ORDER, money: { amount: 2n * HBAR } }])
  })

  it('of HBAR and a token at once names no order', async () => {
    const { depositoryId, token } = world
    const body = {
      cryptoTransfer: {
        ...transfers([payer, -HBAR], [depositoryId, HBAR]).cryptoTransfer,
        ...tokenTransfers(token, [payer, -7n], [depositoryId, 7n]).cryptoTransfer,
      },
    }
    const found = await depositsOf(body)
    expect(found.map(({ orderId, position }) => [orderId, position])).toEqual([
      [null, 0],
      [null, 1],
    ])
  })

  it('without a memo, or with one of 100 bytes, names no order', async () => {
    for (const memo of ['', 'x'.repeat(100), ` ${ORDER}`]) {
      const body = { memo, ...transfers([payer, -HBAR], [world.depositoryId, HBAR]) }
      expect(await depositsOf(body)).toMatchObject([{ orderId: null, money: { amount: HBAR } }])
    }
  })

  it('by a contract is a child with a nonce, which is found by its id', async () => {
    const height = await world.chain.height()
    await world.chain.applyWithin(transfers([payer, -HBAR], [world.depositoryId, HBAR]))
    const adapter = await started()
    const deposit = only(await depositsSince(adapter, height))
    expect(deposit.tx.id).toMatch(/\/1$/)
    expect(deposit).toMatchObject({ orderId: null, depositor: payer })
    expect((await adapter.findTransaction(deposit.tx)).status).toBe('success')
    expect((await adapter.findTransaction({ id: deposit.tx.id.replace(/\/1$/, '/2') })).status).toBe('unknown')
  })

  it('that was scheduled is the transaction that ran, not the one that made the schedule', async () => {
    const { AccountId, Client, Hbar, PrivateKey, TransferTransaction } = await import('@hashgraph/sdk')
    const key = newKey()
    const id = await world.open(key)
    await world.chain.fund(key.address, 10n * HBAR)
    const client = Client.forNetwork(await world.reader.nodes(), { scheduleNetworkUpdate: false })
    client.setOperator(AccountId.fromString(id), PrivateKey.fromStringECDSA(key.secret))
    const height = await world.chain.height()
    const scheduled = new TransferTransaction()
      .addHbarTransfer(id, Hbar.fromTinybars(-5))
      .addHbarTransfer(world.depositoryId, Hbar.fromTinybars(5))
      .setTransactionMemo(ORDER)
      .schedule()
    await scheduled.execute(client)
    client.close()
    await world.chain.advance()
    const deposit = only(await depositsSince(await started(), height))
    expect(deposit.tx.id).toMatch(/^0\.0\.\d+@\d+\.\d{9}\?scheduled$/)
    expect(deposit).toMatchObject({ orderId: ORDER, depositor: id, money: { amount: 5n } })
    const adapter = await started()
    for (const id of [deposit.tx.id, deposit.tx.id.replace('?scheduled', '')])
      expect((await adapter.findTransaction({ id })).status).toBe('success')
  })

  it('of a token with a fee of its own is what arrived', async () => {
    const { depositoryId, treasury, newToken, associate } = world
    const share = { fractionalAmount: { numerator: int64(1), denominator: int64(4) } }
    const token = await newToken({
      customFees: [{ feeCollectorAccountId: accountIdOf(treasury), fractionalFee: share }],
    })
    await associate(depositoryId, token)
    await world.chain.fund(payer, 1000n, token)
    expect(await depositsOf(tokenTransfers(token, [payer, -100n], [depositoryId, 100n]))).toMatchObject([
      { orderId: ORDER, depositor: payer, money: { currency: token, amount: 75n } },
    ])
  })

  it('of a transfer whose fees the depository collects is the fee alone, under the memo of its sender', async () => {
    const { depositoryId, newToken, associate, freshAccount } = world
    const share = { fractionalAmount: { numerator: int64(1), denominator: int64(4) } }
    const fee = { feeCollectorAccountId: accountIdOf(depositoryId), fractionalFee: share }
    const token = await newToken({ customFees: [fee] })
    const other = await freshAccount()
    await associate(other, token)
    await world.chain.fund(payer, 1000n, token)
    expect(await depositsOf(tokenTransfers(token, [payer, -100n], [other, 100n]))).toMatchObject([
      { money: { currency: token, amount: 25n } },
    ])
  })

  it.each([
    ['fails', () => tokenTransfers(world.token, [payer, -(10n ** 15n)], [world.depositoryId, 10n ** 15n])],
    ['pays another account', () => transfers([payer, -HBAR], [world.treasury, HBAR])],
    ['of the depository pays a user', () => transfers([world.depositoryId, -1n], [payer, 1n])],
  ])('is no transaction that %s', async (_, body) => {
    const height = await world.chain.height()
    await world.chain.apply({ memo: ORDER, ...body() }).catch(() => undefined)
    await world.chain.advance()
    expect(await depositsSince(await started(), height)).toEqual([])
  })
})

describe('reading', () => {
  it('goes on without a gap where pages end, and each deposit comes once', async () => {
    const height = await world.chain.height()
    const ids = await Promise.all(
      Array.from({ length: 7 }, (_, at) => world.transfer(payer, world.depositoryId, BigInt(at + 1), { memo: ORDER })),
    )
    const small = await world.chain.addNode({ mostListed: 2 })
    const found = await depositsSince(await started({}, [{ ...small.endpoint, provider: 'small' }]), height)
    expect(found.map(({ tx }) => tx.id).sort()).toEqual([...ids].sort())
    await small.close()
  })

  it('of a mirror node that lags shows a deposit once it has its block, and never less', async () => {
    const height = await world.chain.height()
    await world.chain.lag(5)
    const adapter = await started()
    await world.transfer(payer, world.depositoryId, HBAR, { memo: ORDER })
    expect((await adapter.tip()).height).toBeLessThanOrEqual(BigInt(height))
    await world.chain.lag(0)
    await expect.poll(async () => (await adapter.tip()).height).toBeGreaterThan(BigInt(height))
    expect(only(await depositsSince(adapter, height)).money.amount).toBe(HBAR)
  })

  it('leaves out the newest blocks that are configured, until newer ones come', async () => {
    const adapter = await started({ mirrorLagBlocks: 2 })
    const height = BigInt(await world.chain.height())
    expect((await adapter.tip()).height).toBe(height - 2n)
  })

  it('stands still where the mirror node dropped blocks, and says which', async () => {
    const height = await world.chain.height()
    await world.transfer(payer, world.depositoryId, HBAR, { memo: ORDER })
    await world.chain.advance(3)
    await world.chain.forget(1)
    const adapter = await started()
    const stop = new AbortController()
    const pages = adapter.watch(await adapter.cursorAt(BigInt(height + 1)), NOTHING_LIVE, stop.signal)
    const first = pages[Symbol.asyncIterator]().next()
    await world.chain.forget(0)
    expect((await first).value.deposits).toHaveLength(1)
    stop.abort()
  })

  it('keeps an amount above 2^53 exact', async () => {
    const { token, depositoryId } = world
    const amount = 2n ** 53n + 1n
    await world.chain.fund(payer, amount, token)
    expect(await depositsOf(tokenTransfers(token, [payer, -amount], [depositoryId, amount]))).toMatchObject([
      { money: { amount } },
    ])
    const adapter = await started()
    const { amounts: held } = await adapter.getBalances([{ address: world.vault.address, currency: token }])
    expect(held[0]).toBeGreaterThan(2n ** 53n)
  })
})

describe('the step of a deposit', () => {
  const request = { money: { currency: NATIVE, amount: HBAR }, orderId: ORDER, explicitDeposit: false }

  it('has the fields of one transfer, and the same as bytes without id and nodes', async () => {
    const adapter = await started()
    const { data } = only(await adapter.buildDeposit({ ...request, from: payer }))
    expect(data).toMatchObject({
      memo: ORDER,
      chainId: adapter.chainId,
      maxTransactionFee: expect.stringMatching(/^\d+$/),
      transfers: [
        { accountId: payer, amount: `-${HBAR}` },
        { accountId: world.vault.address, amount: `${HBAR}` },
      ],
    })
    const { Transaction, TransferTransaction } = await import('@hashgraph/sdk')
    const transaction = Transaction.fromBytes(Buffer.from(String(Object(data).transaction), 'base64'))
    expect(transaction).toBeInstanceOf(TransferTransaction)
    expect(transaction.transactionMemo).toBe(ORDER)
    expect(transaction.transactionId).toBeNull()
  })

  it('is refused where the depository pays itself, and for an amount in weibar that no transfer can carry', async () => {
    const adapter = await started()
    await expect(adapter.buildDeposit({ ...request, from: world.vault.address })).rejects.toThrow(/itself/)
    const money = { currency: NATIVE, amount: 10n ** 19n }
    await expect(adapter.buildDeposit({ ...request, money, from: payer })).rejects.toThrow(/larger/)
    expect(adapter.maxAmount).toBeLessThan(10n ** 19n)
  })
})

describe('a recipient', () => {
  it('of each kind is accepted or refused with a reason', async () => {
    const { treasury, token, newToken, associate, made, freshAccount, issuer } = world
    const adapter = await started()
    const kyc = await newToken({ kycKey: { ECDSASecp256k1: Buffer.alloc(33, 2) } })
    const paused = await newToken({ pauseKey: { ECDSASecp256k1: Buffer.alloc(33, 2) } })
    const gone = await newToken({ adminKey: { ECDSASecp256k1: Buffer.alloc(33, 2) } })
    const [plain, unlimited, full, holder] = [
      await freshAccount(),
      await freshAccount({ maxAutomaticTokenAssociations: -1 }),
      await freshAccount({ maxAutomaticTokenAssociations: 1 }),
      await freshAccount(),
    ]
    await world.chain.fund(full, 1n, kyc).catch(() => undefined)
    const spare = await newToken()
    await world.chain.fund(full, 1n, spare)
    await associate(holder, token, kyc, paused, gone)
    await made({ tokenPause: { token: tokenIdOf(paused) } }, { tokenDeletion: { token: tokenIdOf(gone) } })
    const frozen = await freshAccount()
    await associate(frozen, token)
    await made({ tokenFreeze: { account: accountIdOf(frozen), token: tokenIdOf(token) } })
    const deleted = await freshAccount()
    await made({ cryptoDelete: { deleteAccountID: accountIdOf(deleted), transferAccountID: accountIdOf(treasury) } })
    const signing = await freshAccount({ receiverSigRequired: true })
    const cases: readonly (readonly [address: string, currency: string, why: RegExp | null])[] = [
      [plain, NATIVE, null],
      [issuer.address, NATIVE, null],
      [holder, token, null],
      [unlimited, token, null],
      [plain, token, /not associated/],
      [full, token, /no automatic association left/],
      [full, spare, null],
      [frozen, token, /froze/],
      [frozen, NATIVE, null],
      [holder, kyc, /KYC/],
      [holder, paused, /paused/],
      [holder, gone, /deleted/],
      [deleted, NATIVE, /deleted/],
      [signing, NATIVE, /signs itself/],
      [newKey().address, NATIVE, /does not exist/],
      ['0.0.999999', NATIVE, /does not exist/],
      [holder, '0.0.999999', /does not exist/],
      [NATIVE, NATIVE, /network itself/],
      ['0.0.98', NATIVE, /network itself/],
      [world.vault.address, NATIVE, /depository/],
      [world.depositoryId, NATIVE, /depository/],
    ]
    for (const [address, currency, why] of cases) {
      const { canReceive, why: said = '' } = await adapter.recipientStatus({ address }, currency)
      expect([address, currency, canReceive], said).toEqual([address, currency, why === null])
      if (why !== null) expect(said).toMatch(why)
    }
  })
})
