import { expect, it } from 'vitest'
import { checkToken } from './authToken.js'
import { CHANGE_KEY, TRANSFER } from './readTransaction.js'
import { newParty, SLOT, signedKeyChange, signedTransfer, testedExchange } from './signedTransfer.test.support.js'
import { keyIn } from './state/entries.js'

it('an owner registers an API key, whose next transaction has the next nonce', async () => {
  const { exchange, receiver, payer } = testedExchange()
  exchange.fund(receiver.account, 50_000_000n)
  exchange.submit(CHANGE_KEY, JSON.stringify(await signedKeyChange(receiver)))
  exchange.close()
  expect(keyIn(exchange.open, receiver.account, SLOT)).toMatchObject({ publicKey: '09'.repeat(40), nonce: 1 })
  const transfer = await signedTransfer(receiver, payer.account, { Nonce: 1 })
  expect(exchange.submit(TRANSFER, JSON.stringify(transfer)).nonce).toBe(1)
})

it('no other owner registers one, and a key of another length is refused', async () => {
  const { exchange, receiver } = testedExchange()
  const foreign = await signedKeyChange(receiver, {}, newParty().owner)
  expect(() => exchange.submit(CHANGE_KEY, JSON.stringify(foreign))).toThrow('invalid L1 signature')
  const honest = await signedKeyChange(receiver)
  const other = { ...honest, PubKey: Buffer.alloc(40, 8).toString('base64') }
  expect(() => exchange.submit(CHANGE_KEY, JSON.stringify(other))).toThrow('invalid L1 signature')
  const short = { ...honest, PubKey: Buffer.alloc(39, 8).toString('base64') }
  expect(() => exchange.submit(CHANGE_KEY, JSON.stringify(short))).toThrow('invalid public key')
})

it('a token must be of a key of the account, and its deadline near', () => {
  const { exchange, payer, receiver } = testedExchange()
  const now = exchange.blocks.now
  const token = (deadline: number, account = payer.account, slot = SLOT) =>
    `${deadline}:${account}:${slot}:${'ab'.repeat(80)}`
  const check = (text: string) => () => checkToken(exchange.open, text, payer.account, now)
  expect(check(token(now + 600))).not.toThrow()
  expect(check('')).toThrow('invalid auth: no token')
  expect(check('x')).toThrow('invalid auth: invalid token')
  expect(check(token(now))).toThrow('invalid auth: expired token')
  expect(check(token(now + 9 * 3600))).toThrow('invalid auth: the deadline is too far')
  expect(check(token(now + 600, receiver.account))).toThrow('invalid auth: token of another account')
  expect(check(token(now + 600, payer.account, 3))).toThrow('invalid auth: api key not found')
})
