import { afterAll, beforeAll, expect, it } from 'vitest'
import { AddressDesk, HARBOR } from '../addresses/addressDesk.test.support.js'

let desk: AddressDesk
beforeAll(async () => {
  desk = await AddressDesk.open()
})
afterAll(() => desk?.database.drop())

const sweepOf = (amount: bigint) => ({
  signer: '0x5e',
  depository: 'depository',
  money: { currency: 'coin', amount },
  currencies: ['coin'],
})

/** A payment whose sweep is signed and sent; its transaction. */
const sweeping = async (to: string, amount: bigint): Promise<string> => {
  await desk.look(HARBOR, to, { sweep: sweepOf(amount) })
  const txId = desk.id()
  await desk.pool.query(
    `with p as (update payouts p set state = 'signed', next_action = 'track' from deposit_addresses a
       where p.address_id = a.id and a.address = $1 and p.state = 'ready' returning p.id, p.chain_id),
     g as (insert into payout_generations (payout_id, generation, state) select id, 1, 'live' from p)
     insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch, created_at, broadcast_at)
     select id, 1, 1, 'pay', chain_id, $2, '0x', '{}', 0, 'broadcast', 0, now(), now() from p`,
    [to, txId],
  )
  return txId
}

it('an address is a subject of its own, and says what it waits for', async () => {
  const { to, requestId } = await desk.give({ type: 'strict' })
  for (const id of [to, requestId]) {
    const told = await desk.json('explain', [id])
    expect(told.addresses).toMatchObject([{ address: to, type: 'strict', waitsFor: ['a payment to it'] }])
  }
  expect((await desk.json('explain', [to])).meanings).toEqual(['address to pay to'])
  const text = (await desk.run('explain', [requestId])).join('\n')
  expect(text).toContain('nobody has paid it')
  expect(text).toContain(`ADDRESS ${to} on harbor`)
})

it('dust says why it is not swept', async () => {
  const { to, requestId } = await desk.give()
  await desk.pay(to, 3n)
  await desk.look(HARBOR, to, {
    found: [{ currency: 'coin', amount: 3n }],
    trouble: 'It is worth less than its sweep costs.',
  })
  const { addresses } = await desk.json('explain', [to])
  expect(addresses[0].waitsFor).toEqual([
    expect.stringMatching(
      /^its sweep on chain 1, which is not made: It is worth less than its sweep costs\. \(the next look/,
    ),
  ])
  const text = (await desk.run('explain', [requestId])).join('\n')
  expect(text).toContain('nobody has paid it as quoted; what came to its address stands below')
})

it('the user’s transaction and that of the sweep lead to the address, and later to the request', async () => {
  const { to, orderId, requestId } = await desk.give()
  const { tx } = await desk.pay(to, 1_000n)
  const sweepTx = await sweeping(to, 1_000n)
  const before = await desk.json('explain', [tx.id])
  expect(before.meanings).toEqual(['payment to an address'])
  expect(before.addresses[0].waitsFor[0]).toMatch(new RegExp(`^its sweep, payout \\d+, to be in a block: ${sweepTx}`))
  const bySweep = await desk.json('explain', [sweepTx])
  expect(bySweep).toMatchObject({
    meanings: ['sweep transaction'],
    importedTransactions: [],
    addresses: [{ address: to }],
  })

  const depositId = await desk.sweptInto(orderId, 1_000n)
  const after = await desk.json('explain', [tx.id])
  expect(after.requests).toMatchObject([
    { requestId, cameBy: { address: to, type: 'open', transferTx: tx.id }, deposits: [{ id: depositId }] },
  ])
  const text = (await desk.run('explain', [requestId])).join('\n')
  expect(text).toMatch(new RegExp(`came by\\s+the open address ${to}`))
  expect(text).toContain(`paid by ${tx.id}`)
})

it('another amount than the quote asked for waits for an order of its own', async () => {
  const { to, orderId } = await desk.give()
  await desk.pay(to, 1_500n)
  const depositId = await desk.sweptInto(orderId, 1_500n)
  const { requests } = await desk.json('explain', [`deposit:${depositId}`])
  expect(requests[0].cameBy).toMatchObject({ address: to })
  expect(requests[0].cameBy.waitsFor).toContainEqual(
    expect.stringMatching(new RegExp(`^an order of its own for what came, request ${requests[0].requestId}$`)),
  )
})

it('a request that a user deposited for himself came by no address', async () => {
  const { orderId, requestId, addressId } = await desk.give()
  await desk.pool.query('delete from deposit_address_places where address_id = $1', [addressId])
  await desk.pool.query('delete from deposit_addresses where id = $1', [addressId])
  await desk.sweptInto(orderId, 1_000n)
  const told = await desk.json('explain', [requestId])
  expect(told).toMatchObject({ addresses: [], requests: [{ requestId, cameBy: null }] })
})
