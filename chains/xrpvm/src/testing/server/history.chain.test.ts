import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Wallet } from 'xrpl'
import { startTestedServer, type TestedServer } from '../testedServer.test.support.js'

let tested: TestedServer
let alice: Wallet
let bob: Wallet

beforeEach(async () => {
  tested = await startTestedServer()
  ;[alice, bob] = [await tested.funded(), await tested.funded()]
})
afterEach(() => tested?.close())

const pay = () =>
  tested.include(alice, {
    ...{ TransactionType: 'Payment', Account: alice.classicAddress, Destination: bob.classicAddress, Amount: '1' },
  })

describe('a server without all history', () => {
  it('says what it lacks, and does not know what was there', async () => {
    const { chain, post } = tested
    await chain.advance(4)
    const { hash, ledger_index: at = 0 } = await pay()
    await chain.advance(5)
    const tip = await chain.height()
    await chain.cutHistory(`2-${at - 1},${at + 2}-${tip}`)
    await chain.advance()
    const { info } = await post('server_info')
    expect(info.complete_ledgers).toBe(`2-${at - 1},${at + 2}-${tip + 1}`)
    const asked = { transaction: hash }
    expect(await post('tx', asked)).toMatchObject({ error: 'txnNotFound' })
    expect((await post('tx', asked)).searched_all).toBeUndefined()
    expect(await post('tx', { ...asked, min_ledger: at, max_ledger: tip })).toMatchObject({ searched_all: false })
    expect(await post('tx', { ...asked, min_ledger: at + 2, max_ledger: tip })).toMatchObject({ searched_all: true })
    expect(await post('ledger', { ledger_index: at })).toMatchObject({ error: 'lgrNotFound' })
    await chain.cutHistory(null)
    expect(await post('tx', asked)).toMatchObject({ validated: true })
  })

  it('searches histories from after the last gap on, and says so', async () => {
    const { chain, post } = tested
    await pay()
    await chain.advance(3)
    const tip = await chain.height()
    await chain.cutHistory(`1-2,${tip - 1}-${tip}`)
    const asked = { account: bob.classicAddress, ledger_index_min: -1, ledger_index_max: -1 }
    expect(await post('account_tx', asked)).toMatchObject({
      ...{ ledger_index_min: tip - 1, ledger_index_max: tip, transactions: [] },
    })
    const early = { ...asked, ledger_index_min: 2 }
    expect(await post('account_tx', early)).toMatchObject({ error: 'lgrIdxMalformed', error_code: 58 })
    const late = { ...asked, ledger_index_max: tip + 9 }
    expect(await post('account_tx', late)).toMatchObject({ error: 'lgrIdxMalformed' })
    const none = { ...asked, ledger_index_min: tip + 1 }
    expect(await post('account_tx', none)).toMatchObject({ error: 'invalidLgrRange' })
  })
})

describe('a server that is behind', () => {
  it('answers of the ledgers and accounts of then', async () => {
    const { chain, post } = tested
    const tip = await chain.height()
    const { hash } = await pay()
    await chain.lag(1)
    expect(await chain.height()).toBe(tip)
    expect(await post('tx', { transaction: hash })).toMatchObject({ error: 'txnNotFound' })
    const info = async (ledger_index: string) =>
      (await post('account_info', { account: bob.classicAddress, ledger_index })).account_data.Balance
    expect([await info('validated'), await info('current')]).toEqual(['1000000000', '1000000000'])
    await chain.lag(0)
    expect(await info('validated')).toBe('1000000001')
    expect(await post('tx', { transaction: hash })).toMatchObject({ validated: true })
  })
})

describe('times', () => {
  it('are those of the clock', async () => {
    const { chain, post } = tested
    const time = new Date(Date.now() + 3_600_000)
    await chain.closeAt(time)
    const { ledger } = await post('ledger', { ledger_index: 'validated' })
    expect(Date.parse(ledger.close_time_iso)).toBe(Math.floor(time.getTime() / 1000) * 1000)
  })
})
