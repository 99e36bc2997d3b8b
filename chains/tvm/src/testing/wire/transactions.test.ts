import { describe, expect, it } from 'vitest'
import { readTransaction, transactionJson } from './transactionJson.js'
import { decodeRaw, decodeSigned, encodeRaw, type RawTransaction, sizeOf, unsignedTransaction } from './transactions.js'

const OWNER = `41${'11'.repeat(20)}`
const TO = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'

const raw = (call: RawTransaction['call']): RawTransaction => ({
  ...{ refBlockBytes: '00ff', refBlockHash: '0102030405060708', expiration: 1_700_000_060_000 },
  ...{ timestamp: 1_700_000_000_000, feeLimit: 0, data: '', call },
})
const transfer = raw({
  kind: 'TransferContract',
  value: { owner_address: OWNER, to_address: TO, amount: 1_000_000 },
  permission: 0,
})
const trigger: RawTransaction = {
  ...raw({
    kind: 'TriggerSmartContract',
    value: { owner_address: OWNER, contract_address: TO, call_value: 5, data: 'a9059cbb' },
    permission: 2,
  }),
  ...{ feeLimit: 30_000_000, data: 'ab'.repeat(32) },
}

describe('a transaction', () => {
  it.each([
    ['transfer', transfer],
    ['call', trigger],
  ])('%s: its bytes and its JSON say the same, in both spellings of addresses', (_, one) => {
    const tx = unsignedTransaction(one)
    expect(decodeRaw(tx.rawHex)).toEqual(one)
    expect(encodeRaw(decodeRaw(tx.rawHex))).toBe(tx.rawHex)
    for (const visible of [false, true]) {
      const json = JSON.parse(JSON.stringify(transactionJson(tx, visible)))
      expect(readTransaction(json).id).toBe(tx.id)
    }
    expect(JSON.stringify(transactionJson(tx, true))).toContain('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  })

  it('the bytes are those of raw_data, whatever raw_data_hex says', () => {
    const tx = unsignedTransaction(transfer)
    const json = JSON.parse(JSON.stringify(transactionJson(tx, false)))
    json.raw_data.contract[0].parameter.value.amount = 2_000_000
    expect(readTransaction(json).id).not.toBe(tx.id)
  })

  it('a signed transaction of the wire has its signatures and its size', () => {
    const { rawHex, id } = unsignedTransaction(transfer)
    const length = rawHex.length / 2
    const signature = 'cd'.repeat(65)
    const wire = `0a${Buffer.from([0x80 | (length & 0x7f), length >> 7]).toString('hex')}${rawHex}1241${signature}`
    const tx = decodeSigned(wire)
    expect(tx).toMatchObject({ id, signatures: [signature] })
    expect(sizeOf(tx)).toBe(wire.length / 2)
  })

  it.each(['', '0a', 'ff', '08ffffffffffffffffffffff01', 'zz', '5a0808361204120212'])('bytes %s are none', (hex) =>
    expect(() => decodeRaw(hex)).toThrow(SyntaxError),
  )

  it.each([{}, null, { raw_data: { contract: [{ type: 'VoteWitnessContract' }] } }])('JSON %j is none', (json) =>
    expect(() => readTransaction(json)).toThrow('unknown'),
  )
})
