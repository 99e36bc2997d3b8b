import { Psbt } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPEND_FORMS, type SpendForm } from './accounts.js'
import { REGTEST } from './chain/regtest.js'
import { refusalOf, startTestedNode, type TestedNode } from './testedNode.test.support.js'

let tested: TestedNode
beforeAll(async () => {
  tested = await startTestedNode({ funded: 0n })
})
afterAll(() => tested?.chain.close())

/** What a wallet adds to an input of its own, by form. */
const inputOf = async (form: SpendForm) => {
  const owner = tested.account(0)
  const { txid, vout } = await tested.chain.fund(owner.addresses[form], 20_000n)
  const input = { hash: txid, index: vout, sequence: 0xfffffffe }
  const witnessUtxo = { script: owner.scripts[form], value: 20_000n }
  if (form === 'p2pkh') {
    const { text } = await tested.get(`/tx/${txid}/hex`)
    return { ...input, nonWitnessUtxo: Buffer.from(text, 'hex') }
  }
  if (form === 'p2sh-p2wpkh') return { ...input, witnessUtxo, redeemScript: owner.scripts.p2wpkh }
  if (form === 'p2wsh') return { ...input, witnessUtxo, witnessScript: owner.witnessScript }
  return form === 'p2tr' ? { ...input, witnessUtxo, tapInternalKey: owner.xOnlyKey } : { ...input, witnessUtxo }
}

describe('the key of an account', () => {
  it('signs a PSBT with inputs of every form, which the node then accepts', async () => {
    const { key, taprootKey } = tested.account(0)
    const psbt = new Psbt({ network: REGTEST })
    for (const form of SPEND_FORMS) psbt.addInput(await inputOf(form))
    psbt.addOutput({ address: tested.account(1).addresses.p2wpkh, value: 90_000n })
    for (const [at, form] of SPEND_FORMS.entries()) psbt.signInput(at, form === 'p2tr' ? taprootKey : key)
    const transaction = psbt.finalizeAllInputs().extractTransaction()
    expect(await refusalOf(tested.chain.send(transaction))).toBeNull()
  })
})
