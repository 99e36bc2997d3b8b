import { randomBytes } from 'node:crypto'
import { destinationText, type Hex } from '@causeway/core'
import { findDueRequotes, parseTerms, type QuoteTerms, serializeTerms } from '@causeway/core/plugin'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TOKEN, usdc, ZERO } from './addressChain.js'
import { type AddressWorld, addressBody, RECIPIENT, startAddressWorld, USER } from './addressWorld.js'

let world: AddressWorld
let stop: () => Promise<void> = async () => undefined

beforeAll(async () => {
  world = await startAddressWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.clock.time += 3_600_000
})
afterEach(async () => {
  await stop()
  stop = async () => undefined
})

const bytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')

interface Came {
  readonly chainId?: number
  readonly currency?: string
  readonly amount: bigint
}

/** An open quote, and money that came to its address and waits for an order: as the watcher leaves it. */
const waiting = async ({ chainId = 1, currency = usdc(1), amount }: Came, changes: object = {}): Promise<Hex> => {
  const { body } = await world.post('/quote', addressBody({ ...changes }), 'shop')
  const { rows } = await world.pool.query('select terms from quotes where id = $1', [bytes(body.requestId)])
  const quoted = parseTerms(rows[0].terms)
  const id: Hex = `0x${randomBytes(32).toString('hex')}`
  const terms: QuoteTerms = { ...quoted, requestId: id, origin: { chainId, currency }, depositAmount: amount }
  const to = destinationText(terms.recipient)
  await world.pool.query(
    `with r as (
       insert into requests (id, parent_request_id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency,
         user_address, recipient, amount_in, amount_out, committed, terms, integrator_id, api_key_id, quoted_at, created_at, updated_at,
         next_action, next_action_at)
       select $1, $2, 'pending', $3, 2, $4, $5, $6, $7, $8, 1, false, $9, 'shop', 'key of shop', t, t, t, 'requote', t
       from to_timestamp($10 / 1000.0) t returning id
     ), f as (insert into request_facts (request_id, quoted, body, shared) select id, '{}', '{}', true from r)
     insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, block_height, state,
       request_id, created_at) select $3, encode($1, 'hex'), 0, $11, $11, $6, 'd', $4, $8, 5, 'included', id, now() from r`,
    [
      ...[
        bytes(id),
        bytes(body.requestId),
        chainId,
        currency,
        quoted.destination.currency,
        USER,
        to,
        amount.toString(),
      ],
      ...[serializeTerms(terms), world.clock.time, bytes(quoted.orderId)],
    ],
  )
  return id
}

const requestOf = async (id: Hex) => {
  const { rows } = await world.pool.query(
    `select r.version, r.next_action, r.refund_reason, r.attempts, r.trouble, r.terms, r.features, r.next_action_at, f.quoted, f.body,
       (select count(*)::int from orders o join deposits d on d.id = o.consumed_by where o.request_id = r.id and o.order_id = r.order_id
          and d.request_id = r.id and d.order_id = o.order_id) as orders
     from requests r join request_facts f on f.request_id = r.id where r.id = $1`,
    [bytes(id)],
  )
  return rows[0]
}

const run = () => {
  stop = world.start('deposit address requotes')
}
const decided = (id: Hex) => expect.poll(() => requestOf(id), { timeout: 10_000 })

describe('what came to an open address and fits no quote (wire.md E.2, E.3)', () => {
  it('more, another currency, another chain: each gets its own order, which its deposit consumes', async () => {
    const ids = [
      await waiting({ amount: 250_000_000n }),
      await waiting({ amount: 10n ** 17n, currency: ZERO }),
      await waiting({ amount: 40_000_000n, chainId: 2, currency: usdc(2) }),
    ]
    run()
    for (const id of ids) {
      await decided(id).toMatchObject({
        next_action: 'decide',
        orders: 1,
        features: ['deposit_address'],
        trouble: null,
      })
      const row = await requestOf(id)
      const terms = parseTerms(row.terms)
      expect(terms).toMatchObject({ requestId: id, recipient: { address: RECIPIENT }, tradeType: 'EXACT_INPUT' })
      expect(terms.minimumDeposit).toBe(terms.depositAmount)
      expect(JSON.parse(row.body)).toMatchObject({ useDepositAddress: true, amount: '100000000' })
      expect(JSON.parse(row.quoted).details.currencyIn.amount).toBe(terms.depositAmount.toString())
    }
  })

  it('less, where fees are not covered: a refund', async () => {
    const id = await waiting({ amount: 10n })
    run()
    await decided(id).toMatchObject({ next_action: 'decide', refund_reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
  })

  it('another currency that no quote takes: a refund, by its reason', async () => {
    const id = await waiting({ amount: 10n ** 9n, currency: TOKEN })
    run()
    await decided(id).toMatchObject({ next_action: 'decide', refund_reason: 'INCORRECT_DEPOSIT_CURRENCY' })
  })

  it('a new order is no change of the status: none is missing in what is told (wire.md 5.2)', async () => {
    const id = await waiting({ amount: 250_000_000n })
    const { version } = await requestOf(id)
    run()
    await decided(id).toMatchObject({ next_action: 'decide', orders: 1, version })
  })

  it('what cannot be quoted now is put off, visible, and made when it can', async () => {
    const id = await waiting({ amount: 250_000_000n })
    world.prices.USDC = '0'
    world.clock.time += 3_600_000
    run()
    await decided(id).toMatchObject({
      next_action: 'requote',
      attempts: 1,
      trouble: expect.stringMatching(/^PRICE_FETCH_FAILED: /),
    })
    expect((await requestOf(id)).next_action_at.getTime()).toBe(world.clock.time + 5_000)
    world.prices.USDC = '1'
    world.clock.time += 5_000
    expect(await findDueRequotes(world.pool, world.clock.time, 9)).toHaveLength(1)
    await stop()
    run()
    await decided(id).toMatchObject({ next_action: 'decide', orders: 1, trouble: null, attempts: 0 })
  })
})
