import { ExchangeClient, HttpTransport, InfoClient, SubscriptionClient, WebSocketTransport } from '@nktkas/hyperliquid'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { SPOT_USDC, startTestedExchange, type TestedExchange, USDC } from '../testedExchange.test.support.js'

let tested: TestedExchange
let transport: HttpTransport
let info: InfoClient

beforeAll(async () => {
  tested = await startTestedExchange()
  const url = tested.chain.endpoint.http
  transport = new HttpTransport({ apiUrl: url, rpcUrl: url, isTestnet: true })
  info = new InfoClient({ transport })
})
afterAll(() => tested?.close())

/** A new account of the SDK with USDC, and its client. */
const client = async (amount = 100n * USDC, currency?: string) => {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await tested.chain.fund(wallet.address, amount, currency)
  return { address: wallet.address, exchange: new ExchangeClient({ transport, wallet }) }
}

const perps = async (user: `0x${string}`) => (await info.clearinghouseState({ user })).withdrawable

describe('the unmodified SDK', () => {
  it('sends between perps, spot and a builder DEX, and reads balances', async () => {
    const [alice, bob] = [await client(), await client(USDC)]
    const token = `USDC:${SPOT_USDC}` as const
    await alice.exchange.usdSend({ destination: bob.address, amount: '25.5' })
    await alice.exchange.usdClassTransfer({ amount: '30', toPerp: false })
    await alice.exchange.spotSend({ destination: bob.address, token, amount: '1.00000001' })
    const toDex = { destination: alice.address, sourceDex: '', destinationDex: 'xyz', token, amount: '3' }
    await alice.exchange.sendAsset(toDex)
    expect(await Promise.all([perps(alice.address), perps(bob.address)])).toEqual(['41.5', '26.5'])
    expect((await info.clearinghouseState({ user: alice.address, dex: 'xyz' })).withdrawable).toBe('3.0')
    const { balances } = await info.spotClearinghouseState({ user: alice.address })
    expect(balances).toEqual([{ coin: 'USDC', token: 0, total: '28.99999999', hold: '0.0', entryNtl: '0.0' }])
    const types = (await info.userNonFundingLedgerUpdates({ user: alice.address })).map(({ delta }) => delta.type)
    expect(types).toEqual(['deposit', 'internalTransfer', 'accountClassTransfer', 'spotTransfer', 'send'])
  })

  it('finds a transfer by its nonce, and its action in the explorer', async () => {
    const [alice, bob] = [await client(), await client(USDC)]
    const startTime = (await info.exchangeStatus()).time
    const response = await alice.exchange.sendAsset({
      ...{ destination: bob.address, sourceDex: '', destinationDex: '', token: `USDC:${SPOT_USDC}`, amount: '2.5' },
    })
    expect(response).toEqual({ status: 'ok', response: { type: 'default' } })
    const [update, ...others] = await info.userNonFundingLedgerUpdates({ user: bob.address, startTime })
    expect(others).toHaveLength(0)
    expect(update?.delta).toMatchObject({
      ...{ type: 'send', user: alice.address.toLowerCase(), destination: bob.address.toLowerCase() },
      ...{ sourceDex: '', destinationDex: '', token: 'USDC', amount: '2.5', fee: '0.0', feeToken: '' },
    })
    const { tx } = await info.txDetails({ hash: update?.hash ?? '0x' })
    const { txs } = await info.userDetails({ user: alice.address })
    expect(txs).toEqual([tx])
    expect(tx).toMatchObject({ error: null, time: update?.time, user: alice.address.toLowerCase() })
    expect(tx.action.nonce).toBe(Reflect.get(Object(update?.delta), 'nonce'))
  })

  it('burns a nonce by an L1 action, and reads roles, tokens and exchanges', async () => {
    const alice = await client()
    expect(await alice.exchange.noop()).toMatchObject({ status: 'ok' })
    expect(await info.userRole({ user: alice.address })).toEqual({ role: 'user' })
    const { tokens } = await info.spotMeta()
    expect(tokens[0]).toMatchObject({ name: 'USDC', tokenId: SPOT_USDC, szDecimals: 8, weiDecimals: 8, index: 0 })
    expect((await info.perpDexs()).map((dex) => dex?.name)).toEqual([undefined, 'xyz'])
    expect((await info.meta({ dex: 'xyz' })).collateralToken).toBe(0)
    expect(await info.userAbstraction({ user: alice.address })).toBe('default')
    expect(await info.subAccounts({ user: alice.address })).toBeNull()
  })

  it('hears of ledger updates over the websocket', async () => {
    const url = String(tested.chain.endpoint.ws)
    // CAST: a WebSocket of the package ws, which Node 20 has not.
    const socket = new WebSocketTransport({
      url,
      reconnect: { WebSocket: WebSocket as unknown as typeof globalThis.WebSocket },
    })
    const [alice, bob] = [await client(), await client(USDC)]
    const heard: unknown[] = []
    const first = new Promise<void>((resolve) => {
      const subscriptions = new SubscriptionClient({ transport: socket })
      void subscriptions.userNonFundingLedgerUpdates({ user: bob.address }, (event) => {
        heard.push(...event.nonFundingLedgerUpdates.map(({ delta }) => delta.type))
        if (event.isSnapshot === true) void alice.exchange.usdSend({ destination: bob.address, amount: '1' })
        else resolve()
      })
    })
    await first
    expect(heard).toEqual(['deposit', 'internalTransfer'])
    await socket.close()
  })
})
