import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SpendableCoin } from '../accounts.js'
import type { PayOptions } from '../node/localWallet.js'
import { refusalOf, startTestedNode, type TestedNode } from '../testedNode.test.support.js'

let tested: TestedNode
let coin: SpendableCoin
beforeAll(async () => {
  tested = await startTestedNode()
})
afterAll(() => tested?.chain.close())
beforeEach(async () => {
  const { txid } = await tested.chain.fund(tested.account(0).addresses.p2wpkh, 1_000_000n)
  coin = { txid, vout: 0, value: 1_000_000n, form: 'p2wpkh' }
})

/** Spends the test's coin to another address for each `value`. */
const spend = (value: bigint, fee: bigint, options: PayOptions = {}) =>
  tested.chain.build(tested.account(0), [{ to: tested.account(1).addresses.p2wpkh, value }], {
    coins: [coin],
    fee,
    ...options,
  })

const waiting = async () => (await tested.get('/mempool/txids')).json<string[]>()

describe('replacement in the mempool', () => {
  it('needs a better rate, a higher fee, and the fee of its own relay', async () => {
    const { chain } = tested
    const first = await chain.send(spend(10_000n, 1_000n))
    expect(await refusalOf(chain.send(spend(20_000n, 1_000n)))).toMatch(
      /^-26 insufficient fee, rejecting replacement [0-9a-f]{64}; new feerate \S+ BTC\/kvB <= old feerate/,
    )
    expect(await refusalOf(chain.send(spend(20_000n, 1_010n)))).toMatch(
      /not enough additional fees to relay; 0.00000010 </,
    )
    expect(await waiting()).toEqual([first])
    const second = await chain.send(spend(20_000n, 2_000n))
    expect(await waiting()).toEqual([second])
    expect((await tested.get(`/tx/${first}`)).status).toBe(404)
    await chain.mine()
    expect((await tested.get(`/tx/${second}/status`)).json()).toMatchObject({ confirmed: true })
  })

  it('takes the descendants of what it replaces away, and pays for them too', async () => {
    const { chain } = tested
    const parent = await chain.send(spend(500_000n, 1_000n))
    const paid = [{ txid: parent, vout: 0, value: 500_000n, form: 'p2wpkh' as const }]
    const child = chain.build(tested.account(1), [{ to: tested.account(2).addresses.p2wpkh, value: 1_000n }], {
      coins: paid,
      fee: 5_000n,
    })
    await chain.send(child)
    expect(await refusalOf(chain.send(spend(10_000n, 3_000n)))).toMatch(
      /less fees than conflicting txs; 0.00003000 < 0.00006000/,
    )
    const replacement = await chain.send(spend(10_000n, 7_000n))
    expect(await waiting()).toEqual([replacement])
    expect(await refusalOf(chain.send(child))).toBe('-25 bad-txns-inputs-missingorspent')
  })

  it('may not bring in coins that are not confirmed', async () => {
    const { chain } = tested
    const owner = tested.account(0)
    await chain.send(spend(10_000n, 1_000n))
    const extra = await chain.fund(owner.addresses.p2wpkh, 90_000n, { mine: false })
    const coins = [coin, { ...extra, value: 90_000n, form: 'p2wpkh' as const }]
    expect(await refusalOf(chain.send(spend(10_000n, 9_000n, { coins })))).toMatch(
      /^-26 replacement-adds-unconfirmed, replacement [0-9a-f]{64} adds unconfirmed input, idx 1$/,
    )
  })

  it('may not spend what it replaces', async () => {
    const { chain } = tested
    const first = spend(10_000n, 1_000n, { change: tested.account(0).addresses.p2wpkh })
    const txid = await chain.send(first)
    const change = { txid, vout: 1, value: first.outs[1]?.value ?? 0n, form: 'p2wpkh' as const }
    expect(await refusalOf(chain.send(spend(10_000n, 9_000n, { coins: [coin, change] })))).toMatch(
      /^-26 bad-txns-spends-conflicting-tx/,
    )
  })

  it('of what is sent again is none: the answer is its id', async () => {
    const { chain } = tested
    const tx = spend(10_000n, 1_000n)
    expect(await chain.send(tx)).toBe(await chain.send(tx))
    const { result } = await tested.rpc('testmempoolaccept', [tx.toHex()])
    expect(result).toMatchObject([{ allowed: false, 'reject-reason': 'txn-already-in-mempool' }])
  })
})

describe('a node that replaces only what says so', () => {
  it('keeps what does not signal', async () => {
    const strict = await startTestedNode({ policy: { fullRbf: false } })
    try {
      const { chain } = strict
      const build = (fee: bigint, sequence: number) =>
        chain.build(strict.account(0), [{ to: strict.account(1).addresses.p2wpkh, value: 10_000n }], {
          fee,
          sequence,
          coins: [{ txid: funding, vout: 0, value: 50_000n, form: 'p2wpkh' }],
        })
      const { txid: funding } = await chain.fund(strict.account(0).addresses.p2wpkh, 50_000n)
      await chain.send(build(1_000n, 0xfffffffe))
      expect(await refusalOf(chain.send(build(9_000n, 0xfffffffe)))).toBe('-26 txn-mempool-conflict')
    } finally {
      await strict.chain.close()
    }
  })
})
