import { describe, expect, it } from 'vitest'
import { ANYONE, createQuoteWorld, type QuoteWorld, RECIPIENT, USER, usdcBody } from '../../fixtures/quoteWorld.js'

const [ORIGIN, DESTINATION] = [1, 2]
const ask = (world: QuoteWorld, changes: object) =>
  world.service.quote({ body: usdcBody({ ...changes }), caller: ANYONE })

/** What the recipient, the order and the terms of a quote became. */
const quoted = async (world: QuoteWorld, changes: object) => {
  // CAST: read as the wire shows it.
  const answer = (await ask(world, { ...changes, includeProtocolData: true })) as {
    details: { sender: string; recipient: string }
    protocol: { v2: { orderData: { inputs: object[]; output: object } } }
  }
  const { inputs, output } = answer.protocol.v2.orderData
  const terms = world.store.inserted.at(-1)?.terms
  return { details: answer.details, refund: inputs[0], output, terms }
}

describe('a recipient with a tag or memo', () => {
  it('stays whole: simulated, shown, ordered and stored', async () => {
    const world = createQuoteWorld({ tagged: [DESTINATION] })
    const { details, output, terms } = await quoted(world, { recipient: `${RECIPIENT}?memo=a%20b&tag=7` })
    const text = `${RECIPIENT}?tag=7&memo=a%20b`
    expect(details).toMatchObject({ sender: USER, recipient: text })
    expect(world.mood.simulatedFor).toEqual([text])
    expect(terms).toMatchObject({ recipient: { address: RECIPIENT, tag: 7, memo: 'a b' }, refundTo: { address: USER } })
    // The bytes of a recipient in the order never hold it (chains.md xrpvm 2).
    expect(output).toMatchObject({ payments: [{ recipient: RECIPIENT }], extraData: '0x00000007' })
  })

  it('is another one than the account itself, with its own simulation', async () => {
    const world = createQuoteWorld({ tagged: [DESTINATION] })
    const owners = [RECIPIENT, `${RECIPIENT}?tag=0`, `${RECIPIENT}?tag=7`, `${RECIPIENT}?memo=7`]
    for (const recipient of [...owners, ...owners]) await ask(world, { recipient })
    expect(new Set(world.mood.simulatedFor)).toEqual(new Set(owners))
  })

  it('is the user with it, where no other is named', async () => {
    const world = createQuoteWorld({ tagged: [ORIGIN, DESTINATION] })
    const { details, terms } = await quoted(world, { user: `${USER}?tag=5` })
    expect(details).toMatchObject({ sender: USER, recipient: `${USER}?tag=5` })
    expect(terms).toMatchObject({ user: USER, refundTo: { address: USER, tag: 5 } })
  })

  it('is paid by the solver on its own chain too, since the user alone pays accounts', async () => {
    const world = createQuoteWorld({ tagged: [ORIGIN] })
    const body = { destinationChainId: ORIGIN, destinationCurrency: usdcBody().originCurrency }
    const { terms } = await quoted(world, { ...body, recipient: `${USER}?tag=5` })
    expect(terms?.direct).toBeUndefined()
    expect(terms?.recipient).toEqual({ address: USER, tag: 5 })
  })
})

describe('where a refund goes', () => {
  it('keeps tag and memo, in the order too', async () => {
    const world = createQuoteWorld({ tagged: [ORIGIN] })
    const { refund, terms } = await quoted(world, { refundTo: `${RECIPIENT}?tag=9` })
    expect(terms?.refundTo).toEqual({ address: RECIPIENT, tag: 9 })
    expect(refund).toMatchObject({ refunds: [{ recipient: RECIPIENT, extraData: '0x00000009' }] })
  })
})

describe('a tag or memo that payments of the chain cannot carry', () => {
  const world = createQuoteWorld()
  it.each([
    [{ recipient: `${RECIPIENT}?tag=7` }, 'body.recipient', 'payments on this chain carry no tag'],
    [{ recipient: `${RECIPIENT}?memo=7` }, 'body.recipient', 'payments on this chain carry no memo'],
    [{ refundTo: `${RECIPIENT}?tag=7` }, 'body.refundTo', 'payments on this chain carry no tag'],
    [{ user: `${USER}?tag=7` }, 'body.user', 'payments on this chain carry no tag'],
    [{ recipient: `${RECIPIENT}?dt=7` }, 'body.recipient', 'behind the address only'],
  ])('is refused: %o', async (changes, field, why) => {
    await expect(ask(world, changes)).rejects.toMatchObject({
      code: 'INVALID_ADDRESS',
      message: expect.stringMatching(new RegExp(`^${field} is not an address of chain \\d: ${why}`)),
    })
  })

  it('is refused as a recipient where it is longer than a memo may be', async () => {
    const asked = ask(createQuoteWorld({ tagged: [DESTINATION] }), { recipient: `${RECIPIENT}?memo=${'a'.repeat(21)}` })
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  })
})
