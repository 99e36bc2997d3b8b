import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { NOTHING_LIVE } from '@causeway/core/chain'
import { Address, beginCell, Cell, comment, contractAddress } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GIVER, internalMessage } from '../testing/engine/internalMessage.js'
import { TON } from '../testing/testedTon.test.support.js'
import { newKey, openTonWorld, type TonWorld } from '../tonWorld.test.support.js'

const NOTIFICATION = 0x7362d09c
/** Code of a contract without the method. */
const WITHOUT_METHOD = beginCell().storeUint(0, 8).endCell().toBoc().toString('base64')
/** Code of a contract whose `get_wallet_data` returns -2^256, the least integer of the virtual machine. */
const LEAST_INTEGER = 'te6ccgEBBAEAIQABFP8A9KQT9LzyyAsBAgFiAgMADNAw+JHyQAAJoPYFC/8='
/** Code of a contract whose `get_wallet_data` returns a continuation. */
const CONTINUATION = 'te6ccgEBBAEAIQABFP8A9KQT9LzyyAsBAgFiAgMADNAw+JHyQAAJoPYF2oE='

let ton: TonWorld
let network: TonWorld['network']

beforeAll(async () => {
  ton = await openTonWorld()
  ;({ network } = ton)
}, 120_000)

afterAll(() => ton?.close())

/** Deploys code, which notifies the depository of jettons. */
const notify = async (code: string): Promise<void> => {
  const init = { code: Cell.fromBase64(code), data: beginCell().storeBuffer(randomBytes(4)).endCell() }
  const untrusted = contractAddress(0, init)
  await network.chain.apply({ ...internalMessage(GIVER, untrusted, TON), init })
  const notification = beginCell().storeUint(NOTIFICATION, 32).storeUint(0, 64).storeCoins(1n)
  const body = notification.storeAddress(untrusted).storeBit(true).storeRef(comment('hello')).endCell()
  await network.chain.apply(internalMessage(untrusted, Address.parseRaw(ton.vault.address), TON / 100n, { body }))
}

describe.each(['toncenter', 'v4'] as const)('over %s', (protocol) => {
  it.each([
    ['has no get method', WITHOUT_METHOD],
    ['returns the least integer', LEAST_INTEGER],
    ['returns a continuation', CONTINUATION],
  ])(
    'a notification of a contract that %s does not delay the deposits of others',
    async (_, code) => {
      const adapter = await ton.startAdapter(newKey().address, { protocol: [protocol] })
      const { height } = await adapter.tip()
      await notify(code)
      const user = new Address(0, Buffer.alloc(32, 9))
      const orderId = bytesToHex(randomBytes(32))
      await network.chain.apply(
        internalMessage(user, Address.parseRaw(ton.vault.address), 3n * TON, { body: comment(orderId) }),
      )
      await network.chain.advance(1)
      const found: (string | null)[] = []
      const cursor = (await adapter.cursorAt?.(height)) ?? null
      for await (const { deposits } of adapter.watch(cursor, NOTHING_LIVE, AbortSignal.timeout(20_000))) {
        found.push(...deposits.map((deposit) => deposit.orderId))
        if (found.includes(orderId)) break
      }
      expect(found).toEqual([orderId])
    },
    60_000,
  )
})
