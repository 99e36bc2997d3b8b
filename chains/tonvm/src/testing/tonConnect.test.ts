import { Address, beginCell, comment, contractAddress, storeStateInit } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { messagesOf, tonConnectRequest } from './tonConnect.js'

const address = new Address(0, Buffer.alloc(32, 7))
const raw = address.toRawString()
const bounceable = address.toString()
const other = address.toString({ bounceable: false })

const requestOf = (message: object) => tonConnectRequest({ messages: [{ to: raw, value: '5', ...message }] }, 1000)

describe('a step as a request of TON Connect (chains.md tonvm 3)', () => {
  it('is valid for five minutes, on the main network', () => {
    expect(requestOf({})).toMatchObject({ validUntil: 1300, network: '-239' })
  })

  it.each([
    ['as the step says', { bounce: false }, other],
    ['as the step says, whatever the spelling', { to: other, bounce: true }, bounceable],
    ['as the spelling says', { to: other }, other],
    ['by default', {}, bounceable],
  ])('bounces %s', (_, message, expected) => {
    const request = requestOf(message)
    expect(request.messages).toMatchObject([{ address: expected, amount: '5' }])
    expect(messagesOf(request)[0]?.info).toMatchObject({ bounce: expected === bounceable, value: { coins: 5n } })
  })

  it('carries body and initial state to the message that the wallet signs', () => {
    const init = { code: beginCell().storeUint(1, 8).endCell(), data: beginCell().endCell() }
    const stateInit = beginCell().store(storeStateInit(init)).endCell().toBoc().toString('base64')
    const body = comment('order').toBoc().toString('base64')
    const request = requestOf({ body, stateInit })
    expect(request.messages).toMatchObject([{ payload: body, stateInit }])
    const [message] = messagesOf(request)
    expect(message?.body.equals(comment('order'))).toBe(true)
    expect(String(contractAddress(0, message?.init ?? {}))).toBe(String(contractAddress(0, init)))
  })

  it('has one to four messages', () => {
    const messages = Array.from({ length: 5 }, () => ({ to: raw, value: '1' }))
    expect(() => tonConnectRequest({ messages }, 0)).toThrow('1 to 4 messages')
    expect(() => tonConnectRequest({ messages: [] }, 0)).toThrow('1 to 4 messages')
  })
})
