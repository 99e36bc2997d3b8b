import { testTokenAbi, testTokenBytecode } from '@causeway/contracts-abi'
import { TronWeb, type Types } from 'tronweb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestedTron, type TestedTron, type TestedUser, TRX, textOf } from './testedTron.test.support.js'
import { words } from './tokens/words.js'

let network: TestedTron
let alice: TestedUser
let bob: TestedUser

beforeAll(async () => {
  network = await startTestedTron()
  ;[alice, bob] = [await network.user(), await network.user()]
})
afterAll(() => network?.close())

let sent = 0
/** A transfer that differs from all before: those of one block have one time. */
const send = (amount: number) => {
  sent += 1
  return alice.tronWeb.transactionBuilder.sendTrx(bob.address, amount + sent, alice.address)
}
const infoOf = (id: string) => alice.tronWeb.trx.getUnconfirmedTransactionInfo(id)

/** Submits, and includes in a block. */
const include = async (tx: Types.Transaction) => {
  const answer = await alice.submit(tx)
  await network.chain.advance()
  return { answer, info: await infoOf(tx.txID) }
}

describe('TRX', () => {
  it('arrives with its memo, and costs what the chain parameters say', async () => {
    const before = [await alice.balance(), await bob.balance()]
    const plain = await send(3 * TRX)
    const memo = await alice.tronWeb.transactionBuilder.addUpdateData(plain, 'ab'.repeat(32), 'hex', { txLocal: true })
    const { answer, info } = await include(memo)
    expect(answer).toMatchObject({ result: true, txid: memo.txID })
    expect(info).toMatchObject({ id: memo.txID, fee: TRX, contractResult: [''] })
    expect(info.receipt.net_usage).toBeGreaterThan(200)
    expect([await alice.balance(), await bob.balance()]).toEqual([
      Number(before[0]) - 4 * TRX - sent,
      Number(before[1]) + 3 * TRX + sent,
    ])
    const block = await alice.tronWeb.trx.getBlockByNumber(info.blockNumber)
    expect(block.transactions?.[0]).toMatchObject({ txID: memo.txID, ret: [{ contractRet: 'SUCCESS' }] })
    expect(block.transactions?.[0]?.raw_data.data).toBe('ab'.repeat(32))
  })

  it('activates an account for 1.1 TRX', async () => {
    const fresh = await network.user(0n)
    const { info } = await include(await alice.tronWeb.transactionBuilder.sendTrx(fresh.address, TRX, alice.address))
    expect(info).toMatchObject({ fee: 1_100_000, receipt: { net_fee: 100_000 } })
    expect(await fresh.balance()).toBe(TRX)
  })

  it('is not confirmed before its block is solidified', async () => {
    const tx = await send(TRX)
    await include(tx)
    expect(await alice.tronWeb.trx.getTransactionInfo(tx.txID)).toEqual({})
    await network.chain.advance(18)
    expect(await alice.tronWeb.trx.getTransactionInfo(tx.txID)).toEqual({})
    await network.chain.advance()
    expect(await alice.tronWeb.trx.getTransactionInfo(tx.txID)).toMatchObject({ id: tx.txID })
  })

  it('a transaction as bytes is taken too', async () => {
    const signed = await alice.tronWeb.trx.sign(await send(TRX))
    const length = Buffer.from([0x80 | ((signed.raw_data_hex.length / 2) & 0x7f), signed.raw_data_hex.length / 2 / 128])
    const wire = `0a${length.toString('hex')}${signed.raw_data_hex}1241${signed.signature[0]}`
    expect(await alice.tronWeb.trx.sendHexTransaction(wire)).toMatchObject({ result: true, txid: signed.txID })
    await network.chain.advance()
    expect((await infoOf(signed.txID)).id).toBe(signed.txID)
  })
})

describe('the network refuses', () => {
  it('a duplicate, before and after its block', async () => {
    const signed = await alice.tronWeb.trx.sign(await send(TRX))
    const submit = () => alice.tronWeb.trx.sendRawTransaction(signed)
    expect(await submit()).toMatchObject({ result: true })
    expect(await submit()).toMatchObject({ code: 'DUP_TRANSACTION_ERROR' })
    await network.chain.advance()
    expect(await submit()).toMatchObject({ code: 'DUP_TRANSACTION_ERROR' })
  })

  it('a signature of another key', async () => {
    const tx = await send(TRX)
    const { signature } = await bob.tronWeb.trx.sign(
      await bob.tronWeb.transactionBuilder.sendTrx(alice.address, 1, bob.address),
    )
    const answer = await alice.tronWeb.trx.sendRawTransaction({ ...tx, signature })
    expect(answer).toMatchObject({ code: 'SIGERROR' })
    expect(textOf(answer.message)).toContain('Validate signature error')
  })

  it('a transaction that was changed after its signature', async () => {
    const signed = await alice.tronWeb.trx.sign(await send(TRX))
    const changed = structuredClone(signed)
    Object(changed.raw_data.contract[0]?.parameter.value).amount = 2 * TRX
    expect(await alice.tronWeb.trx.sendRawTransaction(changed)).toMatchObject({ code: 'SIGERROR' })
  })

  it('more than the balance, also together with a pending transaction', async () => {
    const poor = await network.user(10n * BigInt(TRX))
    const pay = async () =>
      poor.submit(
        await poor.tronWeb.transactionBuilder.sendTrx(
          bob.address,
          6 * TRX + Math.floor(Math.random() * 1000),
          poor.address,
        ),
      )
    expect(await pay()).toMatchObject({ result: true })
    const answer = await pay()
    expect(answer).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' })
    expect(textOf(answer.message)).toContain('balance is not sufficient')
  })

  it('an expired transaction, and one that expires after more than a day', async () => {
    const { block_header } = await alice.tronWeb.trx.getCurrentBlock()
    const { timestamp } = block_header.raw_data
    const reference = await alice.tronWeb.trx.getCurrentRefBlockParams()
    const answers = []
    for (const expiration of [timestamp, timestamp + 86_400_001]) {
      const blockHeader = { ...reference, expiration }
      answers.push(
        await alice.submit(
          await alice.tronWeb.transactionBuilder.sendTrx(bob.address, 1, alice.address, { blockHeader }),
        ),
      )
    }
    expect(answers.map(({ code }) => code)).toEqual(Array(2).fill('TRANSACTION_EXPIRATION_ERROR'))
  })

  it('a transaction that expires before its block', async () => {
    await network.chain.holdTransactions()
    const tx = await send(TRX)
    expect(await alice.submit(tx)).toMatchObject({ result: true })
    await network.chain.wind(61_000)
    await network.chain.advance()
    await network.chain.releaseTransactions()
    await network.chain.advance()
    expect(await infoOf(tx.txID)).toEqual({})
  })

  it('a transaction that refers to a block of a lost branch', async () => {
    await network.chain.advance()
    const tx = await send(TRX)
    await network.chain.reorg?.(1)
    expect(await alice.submit(tx)).toMatchObject({ code: 'TAPOS_ERROR' })
  })

  it('TRX for a contract', async () => {
    const address = await network.chain.deploy({ bytecode: testTokenBytecode + words('Dollar', 'USD', 6), name: 'T' })
    const answer = await alice.submit(await alice.tronWeb.transactionBuilder.sendTrx(address, 1, alice.address))
    expect(textOf(answer.message)).toContain('Cannot transfer TRX to a smartContract')
  })
})

describe('a TRC-20', () => {
  let token: string

  beforeAll(async () => {
    const tx = await alice.tronWeb.transactionBuilder.createSmartContract(
      {
        ...{
          abi: [...testTokenAbi],
          bytecode: testTokenBytecode.slice(2),
          feeLimit: 1000 * TRX,
          callValue: 0,
          name: 'USD',
        },
        ...{ userFeePercentage: 100, originEnergyLimit: 10_000_000, parameters: ['Dollar', 'USD', 6] },
      },
      alice.address,
    )
    const { answer, info } = await include(tx)
    expect({ ...answer, message: textOf(answer.message) }).toMatchObject({ result: true })
    expect(info).toMatchObject({ contract_address: tx.contract_address.toLowerCase(), receipt: { result: 'SUCCESS' } })
    token = TronWeb.address.fromHex(tx.contract_address)
    await network.chain.fund(alice.address, 1000n, token)
  })

  const call = async (amount: number, feeLimit = 100 * TRX) =>
    (
      await alice.tronWeb.transactionBuilder.triggerSmartContract(
        token,
        'transfer(address,uint256)',
        { feeLimit },
        [
          { type: 'address', value: bob.address },
          { type: 'uint256', value: amount },
        ],
        alice.address,
      )
    ).transaction

  it('is deployed at the address that tronweb predicts, with its ABI', async () => {
    const contract = await alice.tronWeb.trx.getContract(token)
    expect(contract).toMatchObject({ name: 'USD', consume_user_resource_percent: 100, origin_energy_limit: 10_000_000 })
    const opened = await alice.tronWeb.contract().at(token)
    expect(await opened.methods.balanceOf?.(alice.address).call()).toBe(1000n)
  })

  it('moves, and its energy is burned at the price of the chain parameters', async () => {
    const before = await alice.balance()
    const { info } = await include(await call(400))
    expect(info.receipt.result).toBe('SUCCESS')
    expect(info.receipt.energy_fee).toBe(Number(info.receipt.energy_usage_total) * 100)
    expect(info.fee).toBe(before - (await alice.balance()))
    const [log] = info.log ?? []
    expect(log).toMatchObject({
      ...{ address: TronWeb.address.toHex(token).slice(2), data: (400).toString(16).padStart(64, '0') },
      topics: [expect.stringMatching(/^ddf252ad/), expect.any(String), expect.any(String)],
    })
  })

  it('a call that reverts is in a block, pays, and says why', async () => {
    const { answer, info } = await include(await call(4000))
    expect(answer).toMatchObject({ result: true })
    expect(info).toMatchObject({ result: 'FAILED', receipt: { result: 'REVERT' } })
    expect(info.log).toBeUndefined()
    expect(textOf(info.contractResult[0])).toContain('balance too low')
    expect(info.fee).toBeGreaterThan(0)
  })

  it('a fee limit too low burns all of it', async () => {
    const { info } = await include(await call(1, 100_000))
    expect(info.receipt).toMatchObject({ result: 'OUT_OF_ENERGY', energy_fee: 100_000 })
  })

  it('staked energy is taken first', async () => {
    await network.chain.stake(alice.address, { energy: 1_000_000 })
    const { info } = await include(await call(1))
    expect(info.receipt.energy_fee).toBeUndefined()
    expect(info.receipt.energy_usage).toBe(info.receipt.energy_usage_total)
    expect(await alice.tronWeb.trx.getAccountResources(alice.address)).toMatchObject({ EnergyLimit: 1_000_000 })
    await network.chain.stake(alice.address, { energy: 0 })
  })

  it('a trial agrees with the outcome, and a revert of it throws in tronweb', async () => {
    const trial = (amount: number) =>
      alice.tronWeb.transactionBuilder.triggerConstantContract(
        token,
        'transfer(address,uint256)',
        {},
        [
          { type: 'address', value: bob.address },
          { type: 'uint256', value: amount },
        ],
        alice.address,
      )
    const { energy_used } = await trial(1)
    const { info } = await include(await call(1))
    expect(info.receipt.energy_usage_total).toBe(energy_used)
    await expect(trial(4000)).rejects.toThrow('REVERT')
    const body = {
      owner_address: alice.address,
      contract_address: token,
      function_selector: 'transfer(address,uint256)',
    }
    const words = `${TronWeb.address.toHex(bob.address).slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
    const estimated = await network.call('wallet/estimateenergy', { ...body, parameter: words, visible: true })
    expect(estimated.json).toMatchObject({ result: { result: true }, energy_required: energy_used })
  })

  it('a busy contract costs more', async () => {
    await network.chain.setEnergyFactor(token, 5000)
    const { info } = await include(await call(1))
    const { energy_usage_total: total = 0, energy_penalty_total: penalty = 0 } = info.receipt
    expect(penalty).toBeGreaterThan(0)
    expect(Math.abs(total - penalty * 3)).toBeLessThan(5)
    await network.chain.setEnergyFactor(token, 0)
  })

  it('the indexed API lists transfers and events in pages', async () => {
    const path = `v1/accounts/${bob.address}/transactions/trc20?limit=1&contract_address=${token}`
    const first = await network.get(path)
    expect(first).toMatchObject({ success: true, data: [{ to: bob.address, from: alice.address, type: 'Transfer' }] })
    const second = await network.get(`${path}&fingerprint=${first.meta.fingerprint}`)
    expect(second.data[0].transaction_id).not.toBe(first.data[0].transaction_id)
    const { data } = await alice.tronWeb.event.getEventsByContractAddress(token, { limit: 50 })
    expect(data?.length).toBeGreaterThan(3)
  })
})
