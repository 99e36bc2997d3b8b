import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, systemClock } from '@causeway/core'
import { createEd25519Signer, type Live } from '@causeway/core/chain'
import { Address, beginCell, Cell, comment, contractAddress } from '@ton/core'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TonAdapter, tonAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { addressOfKey } from '../address/wallets.js'
import type { Protocol } from '../options.js'
import { GIVER, internalMessage } from '../testing/engine/internalMessage.js'
import { startTestedTon, type TestedTon, TON } from '../testing/testedTon.test.support.js'

const NOTIFICATION = 0x7362d09c
/** Code of a contract without the method. */
const WITHOUT_METHOD = beginCell().storeUint(0, 8).endCell().toBoc().toString('base64')
/** Code of a contract whose `get_wallet_data` returns -2^256, the least integer of the virtual machine. */
const LEAST_INTEGER = 'te6ccgEBBAEAIQABFP8A9KQT9LzyyAsBAgFiAgMADNAw+JHyQAAJoPYFC/8='
/** Code of a contract whose `get_wallet_data` returns a continuation. */
const CONTINUATION = 'te6ccgEBBAEAIQABFP8A9KQT9LzyyAsBAgFiAgMADNAw+JHyQAAJoPYF2oE='

const newAddress = () => addressOfKey(createEd25519Signer(bytesToHex(randomBytes(32))).publicKey, -239)

let network: TestedTon
let token: string
const vault = newAddress()
const adapters: TonAdapter[] = []
const NOTHING_LIVE: Live = { size: 0, has: () => false, refresh: async () => undefined, awaits: () => false }

beforeAll(async () => {
  network = await startTestedTon()
  token = (await network.jetton()).address.toRawString()
}, 120_000)

afterAll(async () => {
  await Promise.all(adapters.map((adapter) => adapter.stop()))
  await network?.close()
})

const world = async (protocol: Protocol): Promise<TonAdapter> => {
  const config = {
    ...{ id: 71_011, slug: 'local-ton', name: 'Local', package: '@causeway/chain-tonvm', solver: newAddress() },
    rpc: [{ ...network.chain.endpoint, provider: 'local' }],
    currencies: [
      { address: NATIVE, symbol: 'TON', name: 'Toncoin', decimals: 9, groupId: 'ton' },
      { address: token, symbol: 'TOK', name: 'Token', decimals: 6, groupId: 'token' },
    ],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    ...{ enabled: true, options: {} },
  }
  const options = {
    ...{ depository: vault, lifetimeSeconds: 120, protocol: [protocol] },
    ...{ pollIntervalMs: 50, rpcTimeoutMs: 20_000, endpointCheckMs: 200 },
  }
  const logger = pino({ level: 'silent' })
  const adapter = tonAdapter(options, { config, clock: systemClock, logger, environment: environmentOf({}) })
  adapters.push(adapter)
  await adapter.start(new AbortController().signal)
  return adapter
}

/** Deploys code, which notifies the depository of jettons. */
const notify = async (code: string): Promise<void> => {
  const init = { code: Cell.fromBase64(code), data: beginCell().storeBuffer(randomBytes(4)).endCell() }
  const untrusted = contractAddress(0, init)
  await network.chain.apply({ ...internalMessage(GIVER, untrusted, TON), init })
  const notification = beginCell().storeUint(NOTIFICATION, 32).storeUint(0, 64).storeCoins(1n)
  const body = notification.storeAddress(untrusted).storeBit(true).storeRef(comment('hello')).endCell()
  await network.chain.apply(internalMessage(untrusted, Address.parseRaw(vault), TON / 100n, { body }))
}

describe.each(['toncenter', 'v4'] as const)('over %s', (protocol) => {
  it.each([
    ['has no get method', WITHOUT_METHOD],
    ['returns the least integer', LEAST_INTEGER],
    ['returns a continuation', CONTINUATION],
  ])(
    'a notification of a contract that %s does not delay the deposits of others',
    async (_, code) => {
      const adapter = await world(protocol)
      const { height } = await adapter.tip()
      await notify(code)
      const user = new Address(0, Buffer.alloc(32, 9))
      const orderId = bytesToHex(randomBytes(32))
      await network.chain.apply(internalMessage(user, Address.parseRaw(vault), 3n * TON, { body: comment(orderId) }))
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
