import type { Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPEND_FORMS, type SpendForm, signAll } from '../accounts.js'
import { coinsOf } from '../node/localWallet.js'
import { refusalOf, startTestedNode, type TestedNode } from '../testedNode.test.support.js'

let tested: TestedNode
beforeAll(async () => {
  tested = await startTestedNode({ funded: 0n })
})
afterAll(() => tested?.chain.close())

/** A payment of a coin of one form, signed. */
const payment = async (form: SpendForm): Promise<Transaction> => {
  const [owner, payee] = [tested.account(0), tested.account(1)]
  const coin = { ...(await tested.chain.fund(owner.addresses[form], 50_000n)), value: 50_000n, form }
  return tested.chain.build(owner, [{ to: payee.addresses.p2wpkh, value: 10_000n }], { coins: [coin] })
}

const flip = (bytes: Uint8Array | undefined, at: number): void => {
  if (bytes?.[at] === undefined) throw new Error('there is nothing to corrupt')
  bytes[at] ^= 1
}

describe('scripts of inputs', () => {
  it.each(SPEND_FORMS)('of a %s coin are accepted and mined when the signature is good', async (form) => {
    const tx = await payment(form)
    expect(await refusalOf(tested.chain.send(tx))).toBeNull()
    const [hash = ''] = await tested.chain.mine()
    expect((await tested.get(`/block/${hash}/txids`)).json()).toContain(tx.getId())
  })

  it.each(SPEND_FORMS)('of a %s coin are refused when a bit of the signature is another', async (form) => {
    const tx = await payment(form)
    const input = tx.ins[0]
    flip(form === 'p2pkh' ? input?.script : input?.witness[0], 20)
    expect(await refusalOf(tested.chain.send(tx))).toMatch(/^-26 mandatory-script-verify-flag-failed \(/)
    await expect(tested.chain.mine(1, { transactions: [tx] })).rejects.toThrow('mandatory-script-verify-flag-failed')
  })

  it.each(SPEND_FORMS)('of a %s coin are refused when another output is paid than was signed', async (form) => {
    const tx = await payment(form)
    const output = tx.outs[0]
    if (output !== undefined) output.value -= 1n
    expect(await refusalOf(tested.chain.send(tx))).toMatch(/^-26 mandatory-script-verify-flag-failed \(/)
  })

  it.each(SPEND_FORMS)('of a %s coin are refused when another key signs', async (form) => {
    const tx = await payment(form)
    const coin = { txid: '', vout: 0, value: 50_000n, form }
    signAll(tx, tested.account(2), [coin])
    expect(await refusalOf(tested.chain.send(tx))).toMatch(/^-26 mandatory-script-verify-flag-failed \(/)
  })

  it('of several coins of all forms are judged each for itself', async () => {
    const [owner, payee] = [tested.account(3), tested.account(1)]
    for (const form of SPEND_FORMS) await tested.chain.fund(owner.addresses[form], 50_000n)
    const coins = coinsOf(tested.chain.node, owner)
    const build = () => tested.chain.build(owner, [{ to: payee.addresses.p2tr, value: 240_000n }], { coins })
    const last = build()
    flip(last.ins[4]?.witness[0] ?? last.ins[4]?.script, 20)
    expect(await refusalOf(tested.chain.send(last))).toMatch(/mandatory-script-verify-flag-failed/)
    expect(await refusalOf(tested.chain.send(build()))).toBeNull()
  })
})
