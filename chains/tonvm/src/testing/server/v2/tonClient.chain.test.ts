import { type Address, beginCell, comment, internal } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { internalMessage } from '../../engine/internalMessage.js'
import { JETTON_OPS, mintMessage, transferBody } from '../../jetton/jettonMessages.js'
import { hostileJetton } from '../../jetton/jettons.js'
import { payment, startTestedTon, type TestedTon, type TestedWallet, TON } from '../../testedTon.test.support.js'

const ORDER = `0x${'ab'.repeat(32)}`

let network: TestedTon

beforeAll(async () => {
  network = await startTestedTon()
})
afterAll(() => network?.close())

const newest = async ({ address }: TestedWallet) => {
  const [found] = await network.client.getTransactions(address, { limit: 1 })
  if (found === undefined) throw new Error('The account has no transaction')
  return found
}

describe('a wallet v5r1', () => {
  it('is deployed by its first transfer, which arrives a block later with its comment', async () => {
    const { chain, client } = network
    const [from, to] = [await network.wallet(50n * TON), await network.wallet(5n * TON)]
    expect(await client.isContractDeployed(from.address)).toBe(false)
    await from.submit([payment(to, TON, ORDER)])
    expect(await from.seqno()).toBe(0)
    await chain.advance()
    expect([await client.isContractDeployed(from.address), await from.seqno()]).toEqual([true, 1])
    expect(await client.getBalance(to.address)).toBe(5n * TON)
    await chain.advance()
    // The rent of a second is a nanoton.
    expect(6n * TON - (await client.getBalance(to.address))).toBeLessThan(3n)
    const { inMessage } = await newest(to)
    const body = inMessage?.body.beginParse()
    expect([body?.loadUint(32), body?.loadStringTail()]).toEqual([0, ORDER])
  })

  it('is found by a walk over blocks, whose shard has seqnos of its own', async () => {
    const { chain, client } = network
    const [from, to] = [await network.wallet(), await network.wallet(0n)]
    await from.submit([payment(to, TON, ORDER)])
    const { latestSeqno } = await client.getMasterchainInfo()
    await chain.advance(2)
    const seen: { readonly account: Address; readonly lt: string; readonly hash: string }[][] = []
    for (const seqno of [latestSeqno + 1, latestSeqno + 2]) {
      const [shard] = await client.getWorkchainShards(seqno)
      expect(shard?.seqno).not.toBe(seqno)
      seen.push(await client.getShardTransactions(0, shard?.seqno ?? 0, shard?.shard ?? ''))
    }
    expect(seen.map((all) => all.map(({ account }) => account.toRawString()))).toEqual([
      [from.address.toRawString()],
      [to.address.toRawString()],
    ])
    const arrived = seen[1]?.[0]
    const tx = await client.getTransaction(to.address, arrived?.lt ?? '', arrived?.hash ?? '')
    expect(tx?.inMessage?.info).toMatchObject({ type: 'internal', bounce: false, value: { coins: TON } })
  })

  it('refuses a wrong key, a used seqno and an expired message, and its node says so', async () => {
    const { chain } = network
    const [from, to] = [await network.wallet(), await network.wallet(0n)]
    await from.submit([payment(to, TON, ORDER)])
    await chain.advance()
    const pay = [payment(to, TON, ORDER)]
    const refusals = { seqno: { seqno: 0 }, key: { keys: to.keys }, time: { timeout: 1000 } }
    for (const signing of Object.values(refusals)) {
      await expect(from.submit(pay, signing)).rejects.toMatchObject({ response: { status: 500 } })
    }
    const boc = beginCell().storeUint(1, 2).endCell().toBoc().toString('base64')
    expect(await network.call('sendBoc', { boc })).toMatchObject({ status: 500, json: { ok: false, code: 500 } })
  })

  it('accepts a payment above its balance, and sends none: success, a skipped action, no message', async () => {
    const [from, to] = [await network.wallet(2n * TON), await network.wallet(0n)]
    await from.submit([payment(to, 9999n * TON, ORDER)])
    await network.chain.advance(2)
    const { description, outMessagesCount } = await newest(from)
    expect(description).toMatchObject({
      aborted: false,
      computePhase: { success: true, exitCode: 0 },
      actionPhase: { success: true, resultCode: 0, skippedActions: 1 },
    })
    expect([outMessagesCount, await from.seqno()]).toEqual([0, 1])
    expect(await network.client.getBalance(to.address)).toBe(0n)
  })

  it('gets a bounceable payment to an empty account back', async () => {
    const { chain, client } = network
    const [from, to] = [await network.wallet(), await network.wallet(0n)]
    await from.submit([internal({ to: to.address, value: TON, bounce: true, body: comment(ORDER) })])
    await chain.advance(3)
    expect(await client.getBalance(to.address)).toBe(0n)
    const { inMessage } = await newest(from)
    expect(inMessage?.info).toMatchObject({ type: 'internal', bounced: true })
    expect((await newest(to)).description).toMatchObject({ aborted: true, computePhase: { reason: 'no-state' } })
  })
})

describe('a jetton', () => {
  it('is minted, moved with a payload that its notification carries, and burnt', async () => {
    const { chain, client } = network
    const jetton = await network.jetton()
    const [from, to] = [await network.wallet(), await network.wallet()]
    await chain.fund(from.address.toRawString(), 1000n, jetton.address.toRawString())
    const [wallet, target] = [await jetton.walletOf(from), await jetton.walletOf(to)]
    expect(await network.balanceOf(wallet)).toBe(1000n)
    const forwardPayload = beginCell().storeUint(0x5e1fda7e, 32).storeBuffer(Buffer.alloc(32, 7)).endCell()
    const transfer = { recipient: to.address, responseTo: from.address, forwardValue: 1n, forwardPayload }
    const body = transferBody({ amount: 400n, ...transfer })
    await from.submit([internal({ to: wallet, value: TON / 10n, body })])
    await chain.advance(4)
    expect([await network.balanceOf(wallet), await network.balanceOf(target)]).toEqual([600n, 400n])
    const notified = (await newest(to)).inMessage
    expect(String(notified?.info.src)).toBe(String(target))
    const read = notified?.body.beginParse()
    expect([read?.loadUint(32), read?.skip(64).loadCoins()]).toEqual([JETTON_OPS.transferNotification, 400n])
    expect(String(read?.loadAddress())).toBe(String(from.address))
    expect([read?.loadBit(), read?.loadRef().equals(forwardPayload)]).toEqual([true, true])
    const excesses = (await newest(from)).inMessage
    expect(excesses?.body.beginParse().loadUint(32)).toBe(JETTON_OPS.excesses)
    const burn = beginCell().storeUint(JETTON_OPS.burn, 32).storeUint(0, 64).storeCoins(100n)
    await from.submit([
      internal({ to: wallet, value: TON / 10n, body: burn.storeAddress(from.address).storeMaybeRef(null).endCell() }),
    ])
    await chain.advance(4)
    const { totalSupply, adminAddress } = await jetton.master.getJettonData()
    expect([await network.balanceOf(wallet), totalSupply]).toEqual([500n, 900n])
    expect(adminAddress.toRawString()).toBe(`-1:${'0'.repeat(64)}`)
    expect(await client.getBalance(target)).toBeGreaterThan(0n)
  })

  it('refuses a transfer above the balance, and that of another owner, which both come back', async () => {
    const { chain } = network
    const jetton = await network.jetton()
    const [from, other] = [await network.wallet(), await network.wallet()]
    await chain.fund(from.address.toRawString(), 1000n, jetton.address.toRawString())
    const wallet = await jetton.walletOf(from)
    const pay = (amount: bigint) =>
      transferBody({
        ...{ amount, recipient: other.address, responseTo: from.address, forwardValue: 1n },
        forwardPayload: comment(ORDER),
      })
    for (const [sender, amount, exitCode] of [
      [from, 1001n, 706],
      [other, 1n, 705],
    ] as const) {
      await sender.submit([internal({ to: wallet, value: TON / 10n, body: pay(amount) })])
      await chain.advance(3)
      const [failed] = await network.client.getTransactions(wallet, { limit: 1 })
      expect(failed?.description).toMatchObject({ aborted: true, computePhase: { exitCode } })
      expect((await newest(sender)).inMessage?.info).toMatchObject({ bounced: true })
    }
    expect(await network.balanceOf(wallet)).toBe(1000n)
  })

  it('is minted by its admin alone, and credited by its minter and its wallets alone', async () => {
    const { chain } = network
    const jetton = await network.jetton()
    const [owner, thief] = [await network.wallet(), await network.wallet()]
    await chain.fund(owner.address.toRawString(), 1000n, jetton.address.toRawString())
    const wallet = await jetton.walletOf(owner)
    const credit = beginCell()
      .storeUint(JETTON_OPS.internalTransfer, 32)
      .storeUint(0, 64)
      .storeCoins(5n)
      .storeAddress(thief.address)
      .storeAddress(thief.address)
      .storeCoins(0)
      .storeBit(false)
      .endCell()
    const burnt = beginCell().storeUint(JETTON_OPS.burnNotification, 32).storeUint(0, 64).storeCoins(5n)
    const mint = mintMessage({
      ...{ admin: thief.address, recipient: thief.address, responseTo: thief.address },
      ...{ minter: jetton.address, amount: 5n },
    })
    const notified = burnt.storeAddress(owner.address).storeAddress(thief.address).endCell()
    for (const forged of [
      internalMessage(thief.address, wallet, TON, { body: credit, bounce: true }),
      internalMessage(thief.address, jetton.address, TON, { body: notified, bounce: true }),
      mint,
    ]) {
      await expect(chain.apply(forged)).rejects.toThrow('failed')
    }
    const { totalSupply } = await jetton.master.getJettonData()
    expect([await network.balanceOf(wallet), totalSupply]).toEqual([1000n, 1000n])
  })

  it('that is hostile has the same metadata and notifies of money that does not exist', async () => {
    const { chain, client } = network
    const jetton = await network.jetton()
    const { address, message } = hostileJetton(jetton.metadata)
    await chain.apply(message)
    const [from, to] = [await network.wallet(), await network.wallet()]
    const forwardPayload = comment(ORDER)
    const transfer = { recipient: to.address, responseTo: from.address, forwardValue: 1n, forwardPayload }
    const body = transferBody({ amount: 5_000_000n, ...transfer })
    await from.submit([internal({ to: address, value: TON / 10n, body })])
    await chain.advance(3)
    const { inMessage } = await newest(to)
    expect(inMessage?.body.beginParse().loadUint(32)).toBe(JETTON_OPS.transferNotification)
    expect(String(inMessage?.info.src)).toBe(String(address))
    const { stack } = await client.runMethod(address, 'get_jetton_data')
    stack.skip(3)
    expect(stack.readCell().equals((await jetton.master.getJettonData()).content)).toBe(true)
    expect(await network.balanceOf(await jetton.walletOf(to))).toBe(0n)
  })
})

it('estimates the fee of a transfer, signed or not, as the chain takes it', async () => {
  const { client, chain } = network
  const [from, to] = [await network.wallet(), await network.wallet(0n)]
  const body = await from.sign([payment(to, TON, ORDER)], { keys: to.keys, seqno: 0 })
  const { code: initCode = null, data: initData = null } = from.contract.init
  const { source_fees: fees } = await client.estimateExternalMessageFee(from.address, {
    ...{ body, initCode, initData, ignoreSignature: true },
  })
  await from.submit([payment(to, TON, ORDER)])
  await chain.advance()
  const spent = 100n * TON - (await client.getBalance(from.address)) - TON
  const estimate = BigInt(fees.in_fwd_fee + fees.storage_fee + fees.gas_fee + fees.fwd_fee)
  // The rent grows while the test runs.
  expect(spent - estimate).toBeGreaterThanOrEqual(0n)
  expect(spent - estimate).toBeLessThan(100n)
})
