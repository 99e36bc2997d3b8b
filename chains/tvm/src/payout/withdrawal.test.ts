import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { executeData, readExecution, withdrawalStructHash } from './withdrawal.js'

const TO = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const DEPOSITORY = 'TXtEs6t2oUWQsNos7m68gbHdE9Q5n6x2oN'
const TOKEN = 'THa7BwoPfacfiELa63pbmm3g5PGKYmtJyt'
const SIGNATURE = `0x${'ab'.repeat(65)}` as const
const terms = (currency: string) => ({
  ...{ to: TO, money: { currency, amount: 123_456n }, nonce: `0x${'01'.repeat(32)}` as const },
  ...{ expiration: 1_800_000_000, signature: SIGNATURE },
})

describe('the call of a withdrawal', () => {
  it.each([NATIVE, TOKEN])('of %s tells recipient, money and the bytes behind it', (currency) => {
    const data = executeData(terms(currency), DEPOSITORY)
    expect(data.startsWith('2d9fb478')).toBe(true)
    expect((data.length - 8) % 64).toBe(0)
    const read = readExecution(`${data}cafe`)
    expect(read).toEqual({ to: TO, money: { currency, amount: 123_456n }, tail: 'cafe' })
  })

  it('is no other calldata', () => {
    expect(readExecution('a9059cbb')).toBeNull()
    expect(readExecution(`2d9fb478${'0'.repeat(640)}`)).toBeNull()
  })

  it('has one request for the same terms, and another for each amount, recipient and nonce', () => {
    const [first, again] = [terms(TOKEN), terms(TOKEN)].map((each) => withdrawalStructHash(each, DEPOSITORY))
    expect(first).toBe(again)
    const hashes = [
      first,
      withdrawalStructHash({ ...terms(TOKEN), nonce: '0x02' }, DEPOSITORY),
      withdrawalStructHash({ ...terms(TOKEN), to: TOKEN }, DEPOSITORY),
      withdrawalStructHash({ ...terms(TOKEN), money: { currency: TOKEN, amount: 1n } }, DEPOSITORY),
      withdrawalStructHash(terms(NATIVE), DEPOSITORY),
    ]
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
