import { address, script } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountOfWif } from '../accounts.js'
import { REGTEST } from '../chain/regtest.js'
import { dataScript, type PayOptions } from '../node/localWallet.js'
import { refusalOf, startTestedNode, type TestedNode } from '../testedNode.test.support.js'

let tested: TestedNode
beforeAll(async () => {
  tested = await startTestedNode({ policy: { coinbaseMaturity: 3 } })
})
afterAll(() => tested?.chain.close())

const pay = (to: string | Uint8Array, value: bigint, options: PayOptions = {}) =>
  refusalOf(tested.chain.pay(tested.account(0), [{ to, value }], options))

const orderId = `0x${'5a'.repeat(32)}`

describe('standardness', () => {
  it.each([
    ['p2wpkh', 294n],
    ['p2tr', 330n],
    ['p2wsh', 330n],
    ['p2sh-p2wpkh', 540n],
    ['p2pkh', 546n],
  ] as const)('calls less than the limit of a %s output dust', async (form, limit) => {
    const to = tested.account(1).addresses[form]
    expect(await pay(to, limit - 1n)).toBe('-26 dust')
    expect(await pay(to, limit)).toBeNull()
    await tested.chain.mine()
  })

  it('relays one OP_RETURN of at most 83 bytes, in which the text of an order id has room', async () => {
    const to = tested.account(1).addresses.p2wpkh
    expect(dataScript('x'.repeat(80))).toHaveLength(83)
    expect(await pay(to, 10_000n, { data: orderId })).toBeNull()
    expect(await pay(to, 10_000n, { data: 'x'.repeat(80) })).toBeNull()
    expect(await pay(to, 10_000n, { data: 'x'.repeat(81) })).toBe('-26 scriptpubkey')
    expect(await pay(dataScript(orderId), 0n, { data: orderId })).toBe('-26 multi-op-return')
    await tested.chain.mine()
  })

  it('asks the least fee of relay, and more where the mempool is full', async () => {
    const to = tested.account(1).addresses.p2wpkh
    const { chain } = tested
    const size = chain.build(tested.account(0), [{ to, value: 10_000n }]).virtualSize()
    expect(await pay(to, 10_000n, { fee: BigInt(size) - 2n })).toMatch(/^-26 min relay fee not met, \d+ < \d+$/)
    await chain.setMempoolMinFeeRate(5_000n)
    expect(await pay(to, 10_000n, { fee: 500n })).toMatch(/^-26 mempool min fee not met, 500 < \d+$/)
    expect(await pay(to, 10_000n, { fee: 1_000n })).toBeNull()
    await chain.setMempoolMinFeeRate(9_000n)
    expect((await tested.get('/mempool/txids')).json()).toEqual([])
    await chain.setMempoolMinFeeRate(1_000n)
  })

  it('relays no script nobody knows and no version nobody uses', async () => {
    const { chain } = tested
    expect(await pay(script.compile([0x51]), 10_000n)).toBe('-26 scriptpubkey')
    const tx = chain.build(tested.account(0), [{ to: tested.account(1).addresses.p2tr, value: 10_000n }])
    tx.version = 4
    expect(await refusalOf(chain.send(tx))).toBe('-26 version')
    expect(await refusalOf(chain.send('00'))).toMatch(/^-22 TX decode failed/)
  })
})

describe('consensus', () => {
  it('refuses coins that never were, that are spent, and a sum out of nothing', async () => {
    const { chain } = tested
    const [owner, payee] = [tested.account(2), tested.account(1).addresses.p2wpkh]
    const coin = (await chain.fund(owner.addresses.p2wpkh, 50_000n)).txid
    const coins = [{ txid: coin, vout: 0, value: 50_000n, form: 'p2wpkh' as const }]
    const spend = (value: bigint) => chain.build(owner, [{ to: payee, value }], { coins, change: null })
    expect(await refusalOf(chain.send(spend(50_001n)))).toMatch(
      /^-26 bad-txns-in-belowout, value in \(0.00050000\) < value out \(0.00050001\)$/,
    )
    const first = spend(45_000n)
    await chain.send(first)
    await chain.mine()
    expect(await refusalOf(chain.send(first))).toBe('-27 Transaction outputs already in utxo set')
    expect(await refusalOf(chain.send(spend(44_000n)))).toBe('-25 bad-txns-inputs-missingorspent')
    await expect(chain.mine(1, { transactions: [spend(44_000n)] })).rejects.toThrow('bad-txns-inputs-missingorspent')
  })

  it('keeps coinbases from being spent too soon, and locked transactions from being mined', async () => {
    const { chain } = tested
    const [hash = ''] = await chain.mine()
    const [txid = ''] = (await tested.get(`/block/${hash}/txids`)).json<string[]>()
    const coins = [{ txid, vout: 0, value: 5_000_000_000n, form: 'p2wpkh' as const }]
    const outputs = [{ to: tested.account(1).addresses.p2wpkh, value: 10_000n }]
    const early = chain.build(chain.miner, outputs, { coins })
    expect(await refusalOf(chain.send(early))).toMatch(/^-26 bad-txns-premature-spend-of-coinbase/)
    await chain.mine(2)
    expect(await refusalOf(chain.send(early))).toBeNull()
    const { height } = chain.node.chain
    const locked = chain.build(tested.account(0), outputs, { locktime: height + 2 })
    expect(await refusalOf(chain.send(locked))).toBe('-26 non-final')
    const relative = chain.build(tested.account(0), outputs, { sequence: height + 9 })
    expect(await refusalOf(chain.send(relative))).toBe('-26 non-BIP68-final')
    await chain.mine(2)
    expect(await refusalOf(chain.send(locked))).toBeNull()
  })

  it('lets at most 25 unconfirmed transactions hang together', async () => {
    const { chain } = tested
    const owner = tested.account(4)
    let value = 1_000_000n
    let { txid } = await chain.fund(owner.addresses.p2wpkh, value)
    const next = () => {
      const coins = [{ txid, vout: 0, value, form: 'p2wpkh' as const }]
      value -= 2_000n
      return chain.build(owner, [{ to: owner.addresses.p2wpkh, value }], { coins })
    }
    for (let at = 0; at < 25; at += 1) txid = await chain.send(next())
    expect(await refusalOf(chain.send(next()))).toMatch(/^-26 too-long-mempool-chain/)
  })
})

describe('accounts', () => {
  it('have an address of regtest for every form, and no address of mainnet is paid', async () => {
    const { addresses, scripts, wif } = tested.account(0)
    expect(wif).toMatch(/^c/)
    expect(accountOfWif(wif).addresses).toEqual(addresses)
    expect(addresses.p2tr).toMatch(/^bcrt1p/)
    expect(address.toOutputScript(addresses['p2sh-p2wpkh'], REGTEST)).toEqual(scripts['p2sh-p2wpkh'])
    expect(() =>
      tested.chain.build(tested.account(0), [{ to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', value: 9n }]),
    ).toThrow()
  })
})
