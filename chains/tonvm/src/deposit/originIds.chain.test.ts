import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { Address, beginCell, comment, external, internal, storeMessage } from '@ton/core'
import { JettonMaster } from '@ton/ton'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TonAdapter } from '../adapter.js'
import { externalHash } from '../lane/walletRequest.js'
import { payment, type TestedWallet, TON } from '../testing/testedTon.test.support.js'
import { openTonWorld, type TonWorld } from '../tonWorld.test.support.js'
import { jettonTransferBody } from './jettonBodies.js'

const ARRIVAL = 6

let ton: TonWorld
let adapter: TonAdapter
let user: TestedWallet
let depository: Address

beforeAll(async () => {
  ton = await openTonWorld()
  depository = Address.parseRaw(ton.vault.address)
  user = await ton.network.wallet(1000n * TON)
  await ton.network.chain.fund(user.address.toRawString(), 1000n, ton.token)
  await ton.network.chain.advance(ARRIVAL)
  adapter = await ton.startAdapter(ton.vault.address)
}, 120_000)

afterAll(() => ton?.close())

const jettonWallet = (): Promise<Address> =>
  ton.network.client.open(JettonMaster.create(Address.parseRaw(ton.token))).getWalletAddress(user.address)

/** Signs a message of the user, and returns every id by which its wallet may name it. */
const paid = async (message: Parameters<TestedWallet['sign']>[0][number]): Promise<readonly string[]> => {
  const { network } = ton
  const body = await user.sign([message])
  const { init } = user.contract
  const sent = external({ to: user.address, init: (await user.seqno()) === 0 ? init : null, body })
  const cell = beginCell().store(storeMessage(sent)).endCell()
  await network.client.sendFile(cell.toBoc())
  await network.chain.advance(ARRIVAL)
  const own = await network.client.getTransactions(user.address, { limit: 10 })
  const first = own.find(({ inMessage }) => inMessage?.info.type === 'external-in')
  return [cell.hash().toString('hex'), externalHash(sent), first?.hash().toString('hex') ?? '']
}

it.each(['TON', 'jettons'])(
  'a deposit of %s is found by the hash of the external message, its normalised form, and the hash of the wallet’s transaction',
  async (kind) => {
    const orderId = bytesToHex(randomBytes(32))
    const transfer = jettonTransferBody({
      ...{ queryId: 0n, amount: 5n, recipient: depository, responseTo: user.address },
      ...{ forwardValue: 1n, forwardPayload: comment(orderId) },
    })
    const wallet = kind === 'TON' ? null : await jettonWallet()
    const message =
      wallet === null
        ? payment({ address: depository }, TON, orderId)
        : internal({ to: wallet, value: TON / 10n, body: transfer })
    const ids = await paid(message)
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) {
      const check = adapter.checkTransactionId?.(`0x${id.toUpperCase()}`)
      expect(check).toEqual({ ok: true, canonical: id })
      const found = await adapter.findTransaction({ id })
      expect(found).toMatchObject({ status: 'success', depositOrderIds: [orderId] })
    }
  },
)

it('a hash that no wallet sent is unknown', async () => {
  expect(await adapter.findTransaction({ id: randomBytes(32).toString('hex') })).toMatchObject({ status: 'unknown' })
})
