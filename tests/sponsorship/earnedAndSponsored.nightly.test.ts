import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { signInOperator } from '../harness/host/management.js'
import { ether, userOf } from '../harness/localNetwork.js'
import { followSocket } from '../harness/socketFollower.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, postQuote, startHttpWorld, tokenBody } from '../http/httpWorld.js'
import { amountAt } from '../http/quoteAmounts.js'
import { type Authority, createAuthority } from '../webhooks/certificates.js'
import { type Receiver, startReceiver } from '../webhooks/receiver.js'
import { trustingOptions } from '../webhooks/webhookWorld.js'
import { execute, holdings, recordOf, type SponsoredIntegrator, sponsoredIntegrator, statusOf } from './sponsorWorld.js'

const GIVEN = 10_000_000n
const FEE = 500_000n
const DEPOSIT = 25_000_000n

let world: HttpWorld
let authority: Authority
let receiver: Receiver
/** Pays for its users. */
let sponsor: SponsoredIntegrator
/** Earns the app fees. */
let partner: SponsoredIntegrator

beforeAll(async () => {
  authority = await createAuthority()
  const webhooks = trustingOptions(authority)
  world = await startHttpWorld({
    plugins: () => ({
      ...{ 'app-fees': {}, sponsorship: {}, balances: {}, 'deposit-address': {}, realtime: {}, webhooks },
      'requests-v2': { sunsetAt: '2999-01-01' },
    }),
    balances: ({ chains: [origin] }) => ({ chainId: origin.chain.chainId, currency: origin.usdc }),
  })
  receiver = await startReceiver(await authority.issue(['127.0.0.1']))
  sponsor = await sponsoredIntegrator(world, 'sponsor', { user: 1, balance: GIVEN })
  partner = await sponsoredIntegrator(world, 'partner', { user: 2, balance: 0n })
  await connect(sponsor.apiKey)
})
afterAll(async () => {
  await receiver?.close()
  await world?.close()
})

/** The key's webhook goes to the receiver. */
const connect = async (apiKey: string): Promise<void> => {
  const manage = await signInOperator(world.host.url, world.database.pool)
  const { rows } = await world.database.pool.query<{ id: string }>(
    'select id from api_keys where integrator_id = (select integrator_id::uuid from funding_wallets where wallet = $1)',
    [sponsor.wallet],
  )
  expect(apiKey).toBe(sponsor.apiKey)
  const answer = await manage('PUT', `/keys/${rows[0]?.id}/webhook`, { url: receiver.url })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
}

const quoted = async (more: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const appFees = [{ recipient: partner.wallet, fee: '200' }]
  const body = tokenBody(world, { appFees, subsidizeFees: true, ...more })
  const answer = await postQuote(world, body, '/quote', sponsor.apiKey)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  return answer.body
}

const eventsOf = async ({ apiKey, wallet }: SponsoredIntegrator, requestId: string) => {
  const { body } = await callApi(world.host.url, `/balance-events/${wallet}?requestId=${requestId}`, { apiKey })
  return listAt(body, 'events')
    .map((event) => `${valueAt(event, 'context')} ${valueAt(event, 'delta')}`)
    .reverse()
}

const held = async ({ wallet }: SponsoredIntegrator): Promise<bigint> => (await holdings(world, wallet)).app ?? 0n

const settled = (integrator: SponsoredIntegrator, amount: bigint) =>
  until(`${amount} to be owed`, async () => ((await held(integrator)) === amount ? true : null))

/** What each holder's accounts and the fees gained by the postings of the fill. */
const entriesOf = async (requestId: string): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await world.database.pool.query<{ name: string; amount: string }>(
    `select e.account || coalesce(' ' || e.holder, '') as name, (-sum(e.amount))::text as amount
     from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
     join payouts p on t.cause = 'payout:' || p.id where p.request_id = decode($1, 'hex') and p.purpose = 'fill'
       and e.account in ('app', 'earned', 'sponsored', 'fees', 'conversion') and e.chain_id = $2
     group by 1 having sum(e.amount) <> 0 order by 1`,
    [requestId.slice(2), world.network.chains[0].chain.chainId],
  )
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]))
}

const received = (recipient: string) => balanceOnChain(world.network.chains[1], recipient, world.network.chains[1].usdc)

describe('an app fee and a sponsor in one transfer (wire.md D.7, D.9)', () => {
  it('the sponsor pays all of it, the fee of others too: answer, records, ledger, statements, events, webhook, websocket', async () => {
    const recipient = freshAddress()
    const answer = await quoted({ recipient })
    const requestId = textAt(answer, 'requestId')
    const socket = followSocket(world.host.url, { filters: { id: requestId } })
    const total = amountAt(answer, 'feeSponsorship.quoted.sponsoredTotal.amount')
    const own = total - FEE
    expect(own).toBeGreaterThan(0n)
    expect(answer).toMatchObject({
      fees: { app: { amount: FEE.toString() }, subsidized: { amount: total.toString() } },
      details: { currencyIn: { amount: DEPOSIT.toString() }, currencyOut: { amount: ether('25').toString() } },
      feeSponsorship: {
        quoted: {
          components: { app: { selected: true, sponsored: { amount: FEE.toString() }, userPays: { amount: '0' } } },
          userPaysTotal: { amount: '0' },
        },
      },
    })
    await execute(world, answer)
    expect(await statusOf(world, answer)).toMatchObject({ status: 'success' })
    expect(await received(recipient)).toBe(ether('25'))
    await settled(partner, FEE)
    expect(await held(sponsor)).toBe(GIVEN - total)

    const share = { recipient: partner.wallet, bps: '200', amount: FEE.toString() }
    const payment = { amount: total.toString() }
    expect(await recordOf(world, answer)).toMatchObject({
      features: ['app_fees'],
      data: {
        appFees: { quoted: [share], actual: [share] },
        feeSponsorship: { actual: { sponsorPayment: payment, userPaysTotal: { amount: '0' } } },
      },
    })
    expect(await recordOf(world, answer, 'v2')).toMatchObject({
      data: {
        subsidizedRequest: true,
        subsidizedFee: { sponsor: payment },
        feeSponsorship: { actual: { sponsorPayment: payment } },
        appFees: [{ recipient: partner.wallet, bps: '200', amount: FEE.toString() }],
      },
    })
    expect(await entriesOf(requestId)).toEqual({
      [`app ${partner.wallet}`]: FEE.toString(),
      [`app ${sponsor.wallet}`]: (-total).toString(),
      // What came, for what was paid out.
      conversion: DEPOSIT.toString(),
      fees: own.toString(),
    })
    expect(await eventsOf(sponsor, requestId)).toEqual(['set-pending-amount 0', `pay-fees ${-total}`])
    expect(await eventsOf(partner, requestId)).toEqual([`execute-transaction-request ${FEE}`])
    for (const [{ apiKey, wallet }, closing] of [
      [sponsor, GIVEN - total],
      [partner, FEE],
    ] as const) {
      const { body } = await callApi(world.host.url, `/balance-statements/${wallet}`, { apiKey })
      expect(JSON.stringify(body)).toContain(`"${closing}"`)
    }

    const statuses = ['pending', 'submitted', 'success']
    const calls = await receiver.received(3)
    expect(calls.map(({ body }) => textAt(JSON.parse(body), 'data.status'))).toEqual(statuses)
    expect(calls.map(({ body }) => textAt(JSON.parse(body), 'data.requestId'))).toEqual(statuses.map(() => requestId))
    await until('the websocket', async () => (socket.events.at(-1)?.data.status === 'success' ? true : null))
    expect(socket.events.map(({ data }) => data.status)).toEqual(statuses)
    socket.end()
  })

  it('the user pays the app fee where the sponsor takes only the rest', async () => {
    const before = [await held(sponsor), await held(partner)] as const
    const recipient = freshAddress()
    const answer = await quoted({ recipient, sponsoredFeeComponents: ['execution', 'relay'] })
    const total = amountAt(answer, 'feeSponsorship.quoted.sponsoredTotal.amount')
    expect(amountAt(answer, 'feeSponsorship.quoted.userPaysTotal.amount')).toBe(FEE)
    expect(amountAt(answer, 'details.currencyOut.amount')).toBe(ether('24.5'))
    await execute(world, answer)
    await statusOf(world, answer)
    expect(await received(recipient)).toBe(ether('24.5'))
    await settled(partner, before[1] + FEE)
    expect(await held(sponsor)).toBe(before[0] - total)
    expect(await entriesOf(textAt(answer, 'requestId'))).toMatchObject({
      [`app ${partner.wallet}`]: FEE.toString(),
      [`app ${sponsor.wallet}`]: (-total).toString(),
    })
  })

  it('a deposit address bears both: of its quote, and of another amount (wire.md E.3)', async () => {
    const before = [await held(sponsor), await held(partner)] as const
    const [{ chain, usdc }] = world.network.chains
    const [recipient, refundTo] = [freshAddress(), freshAddress()]
    const answer = await quoted({ recipient, refundTo, useDepositAddress: true })
    const quotedPart = amountAt(answer, 'feeSponsorship.quoted.sponsoredTotal.amount')
    // CAST: an EVM address.
    const address = textAt(answer, 'steps.0.depositAddress') as `0x${string}`
    const pay = async (amount: bigint) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, amount] })
      await receiptOf(chain, await chain.send(userOf(world.network, 0), { to: usdc, data }))
    }
    await pay(DEPOSIT)
    await settled(partner, before[1] + FEE)
    expect(await received(recipient)).toBe(ether('25'))
    expect(await held(sponsor)).toBe(before[0] - quotedPart)
    await pay(10_000_000n)
    await settled(partner, before[1] + FEE + 200_000n)
    expect(await received(recipient)).toBe(ether('35'))
    const spent = before[0] - quotedPart - (await held(sponsor))
    expect(spent).toBeGreaterThan(200_000n)
    expect(spent).toBeLessThanOrEqual(quotedPart)
  })

  it('leaves books that agree with both chains to the unit (architecture.md 6 Ledger)', async () => {
    await waitForQuiet(world.database.pool)
    expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
  })
})
