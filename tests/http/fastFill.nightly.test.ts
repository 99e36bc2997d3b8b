import type { LocalAccount } from '@causeway/chain-evm/testing'
import { testTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { linkFundingWallet, readAppBalances } from '@causeway/core/plugin'
import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { depositNative, depositToken } from '../harness/depositing.js'
import { USUAL_PRICES } from '../harness/host/host.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, leakIn, nativeBody, postQuote, startHttpWorld, tokenBody } from './httpWorld.js'

/** Dollars in the smallest unit of the first chain's. */
const dollars = (amount: number): bigint => BigInt(Math.round(amount * 1_000_000))
const MARKER = '012345abcdef'

let world: HttpWorld
/** Pays for fast fills of the host's integrator. */
let wallet: LocalAccount
let broke: { readonly apiKey: string }

const balances = async () => {
  const all = await readAppBalances(world.database.pool, wallet.address.toLowerCase())
  return all.find(({ currency }) => currency === world.network.chains[0].usdc)
}

const integratorOf = async (apiKeyId: string): Promise<string> => {
  const { rows } = await world.database.pool.query<{ integrator_id: string }>(
    'select integrator_id from api_keys where id = $1',
    [apiKeyId],
  )
  return rows[0]?.integrator_id ?? ''
}

/** A plain transfer of the token with the marker behind its calldata (wire.md 4.12); the wallet of zeros is the sender. */
const topUp = async (amount: bigint, named = '0'.repeat(40)): Promise<void> => {
  const [{ chain, usdc, depository }] = world.network.chains
  // CAST: addresses of the harness are hex text.
  const transfer = encodeFunctionData({
    abi: testTokenAbi,
    functionName: 'transfer',
    args: [depository as Address, amount],
  })
  const data: Hex = `${transfer}${MARKER}${named}${MARKER}`
  await receiptOf(chain, await chain.send(wallet, { to: usdc, data }))
}

beforeAll(async () => {
  world = await startHttpWorld({
    plugins: () => ({ 'fast-fill': {}, 'requests-v2': {} }),
    balances: ({ chains: [{ chain, usdc }] }) => ({ chainId: chain.chainId, currency: usdc }),
  })
  wallet = userOf(world.network, 3)
  const { rows } = await world.database.pool.query<{ id: string }>(
    'select id from api_keys order by created_at limit 1',
  )
  const link = {
    integratorId: await integratorOf(rows[0]?.id ?? ''),
    wallet: wallet.address.toLowerCase(),
    now: Date.now(),
  }
  await linkFundingWallet(world.database.pool, link)
  broke = await world.host.createApiKey('broke')
  await topUp(dollars(400))
  await until('the top-up to be settled', async () => ((await balances())?.app === dollars(400) ? true : null))
})
afterAll(() => world?.close())

const quote = async (more: Readonly<Record<string, unknown>> = {}, apiKey = world.host.apiKey) => {
  const recipient = freshAddress()
  const { status, body } = await postQuote(world, tokenBody(world, { recipient, ...more }), '/quote', apiKey)
  expect([status, valueAt(body, 'message')]).toEqual([200, undefined])
  const id = textAt(body, 'requestId')
  return {
    id,
    recipient,
    order: textAt(body, 'protocol.v2.orderId') as Hex,
    out: textAt(body, 'details.currencyOut.amount'),
  }
}

const ask = (body: unknown, apiKey: string | undefined = world.host.apiKey): Promise<ApiAnswer> =>
  callApi(world.host.url, '/fast-fill', { body, ...(apiKey === undefined ? {} : { apiKey }) })

const messageOf = ({ status, body }: ApiAnswer): string => `${status} ${textAt(body, 'message')}`

const received = (recipient: string) => balanceOnChain(world.network.chains[1], recipient, world.network.chains[1].usdc)

const recordOf = async (id: string): Promise<unknown> => {
  const { body } = await callApi(world.host.url, `/requests/v3?id=${id}`, { apiKey: world.host.apiKey })
  return listAt(body, 'requests')[0]
}

const stateOf = async (id: string): Promise<string | null> => {
  const { rows } = await world.database.pool.query<{ state: string }>(
    `select state from fast_fills where request_id = decode($1, 'hex')`,
    [id.slice(2)],
  )
  return rows[0]?.state ?? null
}

const toBe = (id: string, state: string) =>
  until(`the fast fill to be ${state}`, async () => ((await stateOf(id)) === state ? true : null))

/** Nothing is on its way, and the books say what the chains hold. */
const agrees = async (): Promise<void> => {
  await waitForQuiet(world.database.pool)
  const problems = await until('the books to agree', async () => {
    const found = await findDiscrepancies(world.database.pool, world.network)
    return found.length === 0 ? found : null
  })
  expect(problems).toEqual([])
}

describe('POST /fast-fill (wire.md 2.9, G.3)', () => {
  it('fills before the deposit is sent; the deposit sets the collateral free, and nothing is paid again', async () => {
    const before = await balances()
    const { id, order, recipient, out } = await quote()
    expect(messageOf(await ask({ requestId: id }))).toBe('200 The fill is queued')
    await toBe(id, 'paid')
    expect(await received(recipient)).toBe(BigInt(out))
    expect(await recordOf(id)).toMatchObject({
      status: 'success',
      features: ['fast_fill'],
      data: { triggeredByFastFill: true },
      protocol: { isWithdrawable: false },
    })
    // One per cent beyond the 25 dollars of the deposit.
    expect(await balances()).toMatchObject({ app: dollars(400 - 25.25), collateral: dollars(25.25) })
    const [origin] = world.network.chains
    await depositToken(origin, userOf(world.network, 0), origin.usdc, order, dollars(25))
    await toBe(id, 'settled')
    expect(await balances()).toEqual(before)
    expect(messageOf(await ask({ requestId: id }))).toBe('200 The request was filled already')
    await agrees()
    const paid = await paymentsByOrder(world.network.chains[1], world.network.roles.solver.address)
    expect(paid.get(order)).toMatchObject({ fills: 1, excess: 0 })
  })

  it('is no put: the price falls before the deposit comes, and the collateral bears it (faults.md F141)', async () => {
    const before = await balances()
    const [origin] = world.network.chains
    const { id, order } = await quote({
      ...{ originCurrency: NATIVE, destinationCurrency: NATIVE, amount: ether('0.01').toString() },
    })
    expect(messageOf(await ask({ requestId: id }))).toBe('200 The fill is queued')
    await toBe(id, 'paid')
    // 20 dollars, one per cent, and one more for half an hour of another asset than the balance.
    const aside = (await balances())?.collateral ?? 0n
    expect([aside >= dollars(20.4), aside < dollars(20.401)]).toEqual([true, true])
    world.host.setPrices({ ...USUAL_PRICES, eth: '1000' })
    await until('the price of now', async () => {
      const { body } = await postQuote(world, nativeBody(world))
      return Number(valueAt(body, 'details.currencyIn.amountUsd')) < 11 ? true : null
    })
    await depositNative(origin, userOf(world.network, 0), order, ether('0.01'))
    await toBe(id, 'settled')
    world.host.setPrices(USUAL_PRICES)
    const after = await balances()
    const lost = (before?.app ?? 0n) - (after?.app ?? 0n)
    expect([lost >= dollars(10), lost < dollars(10.001), after?.collateral]).toEqual([true, true, 0n])
    await agrees()
  })

  it('refuses in plain words what it cannot do, and changes nothing', async () => {
    const { id } = await quote()
    const nobodys = await postQuote(world, tokenBody(world))
    const foreign = await quote({}, broke.apiKey)
    const before = await balances()
    const refused: [string, ApiAnswer][] = [
      ['401', await callApi(world.host.url, '/fast-fill', { body: { requestId: id } })],
      ['404', await ask({ requestId: `0x${'ab'.repeat(32)}` })],
      ['403', await ask({ requestId: textAt(nobodys.body, 'requestId') })],
      ['403', await ask({ requestId: foreign.id })],
      ['403', await ask({ requestId: foreign.id }, broke.apiKey)],
      ['400', await ask({})],
      ['400', await ask({ requestId: '0x12' })],
      ['400', await ask({ requestId: id, solverInputCurrencyAmount: '-1' })],
      ['400', await ask({ requestId: id, solverInputCurrencyAmount: '0' })],
      ['400', await ask({ requestId: id, solverInputCurrencyAmount: '1.5' })],
      ['400', await ask({ requestId: id, solverInputCurrencyAmount: '1' })],
      ['400', await ask({ requestId: id, solverInputCurrencyAmount: '9'.repeat(78) })],
      ['400', await ask({ requestId: id, solverInputCurrencyAmount: dollars(5_000).toString() })],
      ['400', await ask({ requestId: id, maxFillAmountUsd: 20 })],
      ['400', await ask({ requestId: id, maxFillAmountUsd: 1_000 })],
      ['400', await ask({ requestId: id, maxFillAmountUsd: 0 })],
    ]
    for (const [at, [status, answer]] of refused.entries()) {
      expect(`${at} ${answer.status}`).toBe(`${at} ${status}`)
      expect(textAt(answer.body, 'message')).not.toBe('')
      expect(leakIn(world, answer.text)).toBeNull()
    }
    expect(await balances()).toEqual(before)
    expect(await stateOf(id)).toBeNull()
  })
})
