import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf, SPOT_USDC, startTestedExchange, type TestedExchange, USDC } from '../testedExchange.test.support.js'

const DAY = 86_400_000

let tested: TestedExchange

beforeAll(async () => {
  tested = await startTestedExchange()
})
afterAll(() => tested?.close())

const transferOf = async (wallet: Awaited<ReturnType<TestedExchange['funded']>>, to: string, more: object = {}) =>
  wallet.sign(await wallet.stepOf({ destination: to, amount: USDC, ...more }))

describe('nonces', () => {
  it('count once for a signer, also if the action failed', async () => {
    const [alice, bob] = [await tested.funded(), await tested.funded()]
    const sent = await transferOf(alice, bob.address)
    expect(await refusalOf(alice, sent)).toBeNull()
    expect(await refusalOf(alice, sent)).toBe(`Invalid nonce: duplicate nonce ${sent.nonce}`)
    const tooMuch = await transferOf(alice, bob.address, { amount: 1000n * USDC })
    expect(await refusalOf(alice, tooMuch)).toBe('Insufficient balance for token transfer')
    expect(await refusalOf(alice, tooMuch)).toBe(`Invalid nonce: duplicate nonce ${tooMuch.nonce}`)
    expect(await refusalOf(bob, await transferOf(bob, alice.address, { nonce: sent.nonce }))).toBeNull()
    expect(await tested.reader.balance(alice.address, '0x00000000000000000000000000000000')).toBe(100n * USDC)
  })

  it('are of a window around the time of the exchange', async () => {
    const [alice, bob] = [await tested.funded(), await tested.funded()]
    const now = Date.now()
    const answers = [-2 * DAY, -2 * DAY + 300_000, DAY - 300_000, DAY].map(async (offset) =>
      refusalOf(alice, await transferOf(alice, bob.address, { nonce: now + offset })),
    )
    const [old, early, late, future] = await Promise.all(answers)
    expect([early, late]).toEqual([null, null])
    expect(old).toMatch(/^Invalid nonce: nonce too low \d+ < \d+$/)
    expect(future).toMatch(/^Invalid nonce: nonce too high \d+ > \d+$/)
  })
})

describe('signatures', () => {
  it('a changed action acts for an account that does not exist', async () => {
    const [alice, bob] = [await tested.funded(), await tested.funded()]
    const sent = await transferOf(alice, bob.address)
    const refusal = await refusalOf(alice, { ...sent, action: { ...sent.action, amount: '99.0' } })
    expect(refusal).toMatch(/^Must deposit before performing actions\. User: 0x[0-9a-f]{40}$/)
    expect(refusal).not.toContain(alice.address)
    expect(await refusalOf(alice, sent)).toBeNull()
  })

  it('cover a destination in lower case', async () => {
    const [alice, bob] = [await tested.funded(), await tested.funded()]
    const step = await alice.stepOf({ destination: bob.address, amount: USDC })
    const destination = bob.address.toUpperCase().replace('0X', '0x')
    const parameters = { ...step.action.parameters, destination }
    const sent = await alice.sign({ ...step, action: { ...step.action, parameters } })
    expect(await refusalOf(alice, sent)).toContain('Must deposit')
  })

  it('of an API wallet act in L1 actions alone, of a master for its sub-account', async () => {
    const [alice, agent, sub] = [await tested.funded(), tested.newWallet(), await tested.funded()]
    await tested.chain.setRole(agent.address, 'agent', alice.address)
    await tested.chain.setRole(sub.address, 'subAccount', alice.address)
    expect(await refusalOf(agent, await transferOf(agent, alice.address))).toContain('Must deposit')
    const fromSub = { fromSubAccount: sub.address }
    const hash = await alice.send(await transferOf(alice, alice.address, fromSub))
    expect((await tested.reader.updates(alice.address)).find((update) => update.hash === hash)?.delta).toMatchObject({
      ...{ user: sub.address, destination: alice.address },
    })
    const stranger = await tested.funded()
    expect(await refusalOf(stranger, await transferOf(stranger, stranger.address, fromSub))).toBe('Invalid sub-account')
    expect(await tested.reader.info('userRole', { user: agent.address })).toEqual({
      ...{ role: 'agent', data: { user: alice.address } },
    })
  })
})

describe('transfers', () => {
  it('to a new account cost the sender a unit more', async () => {
    const alice = await tested.funded(10n * USDC)
    const [first, second] = [tested.newWallet().address, tested.newWallet().address]
    const check = (user: string) => tested.reader.info('preTransferCheck', { user, source: alice.address })
    expect(await check(first)).toMatchObject({ userExists: false, fee: '1.0' })
    const hash = await alice.sendAsset({ destination: first, amount: 3n * USDC })
    expect(await check(first)).toMatchObject({ userExists: true, fee: '0.0' })
    expect((await tested.reader.updates(first)).map(({ delta }) => delta)).toMatchObject([
      { amount: '3.0', fee: '1.0', feeToken: 'USDC' },
    ])
    expect(await tested.reader.succeeded(hash)).toBe(true)
    expect(await tested.reader.balance(alice.address, '0x00000000000000000000000000000000')).toBe(6n * USDC)
    const all = await transferOf(alice, second, { amount: 6n * USDC })
    expect(await refusalOf(alice, all)).toBe('Insufficient USDC balance for token transfer gas.')
    expect(await check(second)).toMatchObject({ userExists: false })
  })

  it('are of a named token between balances that hold it', async () => {
    const [alice, bob] = [await tested.funded(), await tested.funded()]
    const tokenId = await tested.chain.createToken({ name: 'TOK', szDecimals: 2, weiDecimals: 4 })
    await tested.chain.fund(alice.address, 500n, tokenId)
    const token = `TOK:${tokenId}`
    const spot = { sourceDex: 'spot', destinationDex: 'spot' }
    const refusalFor = async (more: object) => refusalOf(alice, await transferOf(alice, bob.address, more))
    expect(await refusalFor({ ...spot, token, amount: 500_010_000n })).toBe('Insufficient balance for token transfer')
    expect(await refusalFor({ ...spot, token, amount: 100_001_000n })).toBe('Invalid number of decimals')
    expect(await refusalFor({ ...spot, token: `USDC:${tokenId}` })).toBe(`Unknown token USDC:${tokenId}`)
    expect(await refusalFor({ token })).toBe('Token is not the collateral of this DEX')
    expect(await refusalFor({ sourceDex: 'none' })).toBe('Invalid perp DEX')
    expect(await refusalFor({ amount: 1n })).toBe('Invalid number of decimals')
    await alice.sendAsset({ destination: bob.address, ...spot, token, amount: 123_450_000n })
    expect(await tested.reader.balance(bob.address, tokenId)).toBe(123n)
  })

  it('leave what orders hold, and spot USDC is not perps USDC', async () => {
    const [alice, bob] = [await tested.funded(10n * USDC, SPOT_USDC), await tested.funded()]
    await tested.chain.holdBalance(alice.address, SPOT_USDC, 4n * USDC)
    const spot = { sourceDex: 'spot', destinationDex: 'spot' }
    const shortage = 'Insufficient balance for token transfer'
    expect(await refusalOf(alice, await transferOf(alice, bob.address, { ...spot, amount: 7n * USDC }))).toBe(shortage)
    expect(await refusalOf(alice, await transferOf(alice, bob.address))).toBe(shortage)
    expect(await refusalOf(alice, await transferOf(alice, bob.address, { ...spot, amount: 6n * USDC }))).toBeNull()
  })

  it('of a unified account are of one balance', async () => {
    const [alice, bob] = [await tested.funded(10n * USDC, SPOT_USDC), await tested.funded()]
    await tested.chain.unify(alice.address)
    await alice.sendAsset({ destination: bob.address, amount: 4n * USDC })
    expect(await tested.reader.info('userAbstraction', { user: alice.address })).toBe('unifiedAccount')
    expect(await tested.reader.balance(alice.address, SPOT_USDC)).toBe(6n * USDC)
    expect(await tested.reader.info('clearinghouseState', { user: alice.address })).toMatchObject({
      withdrawable: '0.0',
    })
  })

  it('to vaults, sanctioned accounts and the sender are refused', async () => {
    const [alice, vault, listed] = [await tested.funded(), await tested.funded(), await tested.funded()]
    await tested.chain.setRole(vault.address, 'vault')
    await tested.chain.sanction(listed.address)
    const answers = [vault, listed, alice].map(async ({ address }) =>
      refusalOf(alice, await transferOf(alice, address)),
    )
    expect(await Promise.all(answers)).toEqual(['Cannot send to a vault', 'User is sanctioned', 'Invalid send'])
    const check = await tested.reader.info('preTransferCheck', { user: listed.address, source: alice.address })
    expect(check).toMatchObject({ isSanctioned: true })
  })
})

describe('bodies', () => {
  it('that are no JSON, of another form or type are refused over HTTP', async () => {
    const found = [
      await tested.post('/exchange', '{'),
      await tested.post('/exchange', '{"action":{"type":"usdSend"}}'),
      await tested.post('/info', '{"type":"unknown"}'),
      await tested.post('/info', '{"type":"exchangeStatus"}', 'text/plain'),
    ]
    expect(found.map(({ status }) => status)).toEqual([400, 422, 422, 415])
    expect(found[1]?.text).toBe('Failed to deserialize the JSON body into the target type')
  })

  it('of other actions are refused with a text', async () => {
    const alice = await tested.funded()
    const signature = { r: '0x1', s: '0x1', v: 27 }
    const body = { action: { type: 'withdraw3' }, nonce: Date.now(), signature }
    expect(await refusalOf(alice, body)).toBe('Unsupported action withdraw3')
  })
})
