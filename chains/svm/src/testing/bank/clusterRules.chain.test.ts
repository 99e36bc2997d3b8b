import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLocalSvm } from '../node/localSvm.js'
import { alice, fresh, pay, startTestedChain, type TestedChain } from '../testedChain.test.support.js'

let tested: TestedChain
let chain: TestedChain['chain']

beforeAll(async () => {
  tested = await startTestedChain()
  chain = tested.chain
})
afterAll(() => chain?.close())

const account: TestedChain['account'] = (at) => tested.account(at)
const sign: TestedChain['sign'] = (...what) => tested.sign(...what)

describe('what a real cluster does to transactions', () => {
  it('known bytes are refused, or taken for the same transaction', async () => {
    const to = fresh()
    const { bytes } = await sign([pay(account(alice), to, 1e9)])
    const signature = await chain.connection.sendRawTransaction(bytes)
    await expect(chain.connection.sendRawTransaction(bytes)).rejects.toThrow('already been processed')
    expect(await chain.connection.sendRawTransaction(bytes, { skipPreflight: true })).toBe(signature)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(1e9)
  })

  it('a blockhash lives for 150 blocks', async () => {
    const [early, late] = [fresh(), fresh()]
    const first = await sign([pay(account(alice), early, 1e9)])
    await chain.advance(140)
    await chain.connection.sendRawTransaction(first.bytes)
    const second = await sign([pay(account(alice), late, 1e9)])
    await chain.advance(152)
    await expect(chain.connection.sendRawTransaction(second.bytes)).rejects.toThrow('Blockhash not found')
    await chain.connection.sendRawTransaction(second.bytes, { skipPreflight: true })
    expect(await chain.connection.getBalance(early, 'confirmed')).toBe(1e9)
    expect(await chain.connection.getBalance(late, 'confirmed')).toBe(0)
  })

  it('a dropped block takes everything back, and the same bytes may land again', async () => {
    await chain.advance(10)
    const to = fresh()
    const before = await chain.connection.getBalance(account(alice).keypair.publicKey, 'confirmed')
    const { bytes } = await sign([pay(account(alice), to, 1e9)])
    const signature = await chain.connection.sendRawTransaction(bytes)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(1e9)
    await chain.dropSlots(1)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(0)
    expect(await chain.connection.getBalance(account(alice).keypair.publicKey, 'confirmed')).toBe(before)
    expect((await chain.connection.getSignatureStatuses([signature])).value).toEqual([null])
    await chain.connection.sendRawTransaction(bytes)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(1e9)
  })

  it('final slots cannot be dropped', async () => {
    const to = fresh()
    await chain.send(account(alice), [pay(account(alice), to, 1e9)])
    await chain.advance(6)
    await chain.dropSlots(50)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(1e9)
  })

  it('held transactions go into one block together, equal ones too', async () => {
    const to = fresh()
    await chain.hold()
    const sent = await Promise.all(
      [1, 2].map((n) => chain.send(account(n), [pay(account(n), to, 1e9)], { wait: false })),
    )
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(0)
    await chain.release()
    const slots = (await chain.connection.getSignatureStatuses(sent)).value.map((status) => status?.slot)
    expect(new Set(slots).size).toBe(1)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(2e9)
  })

  it('commitments differ: confirmed is not yet final', async () => {
    const signature = await chain.send(account(alice), [pay(account(alice), fresh(), 1e9)])
    const status = async () => (await chain.connection.getSignatureStatuses([signature])).value[0]?.confirmationStatus
    expect(await status()).toBe('confirmed')
    expect(
      await chain.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0, commitment: 'finalized' }),
    ).toBeNull()
    await chain.advance(5)
    expect(await status()).toBe('finalized')
  })

  it('ten thousand slots pass quickly', async () => {
    const from = await chain.connection.getSlot('confirmed')
    await chain.advance(10_000)
    expect(await chain.connection.getSlot('confirmed')).toBe(from + 10_000)
  })

  it('empty slots of long ago are forgotten, and those with transactions are kept', async () => {
    const own = await startLocalSvm({ slotMs: 0 })
    const [payer] = own.accounts
    if (payer === undefined) throw new Error('No account')
    const signature = await own.send(payer, [pay(payer, fresh(), 1e9)])
    const [status] = (await own.connection.getSignatureStatuses([signature])).value
    const slot = status?.slot ?? 0
    await own.advance(50_100)
    const settings = { maxSupportedTransactionVersion: 0 }
    expect((await own.connection.getBlock(slot, settings))?.transactions).toHaveLength(1)
    await expect(own.connection.getBlock(slot + 20, settings)).rejects.toThrow('cleaned up')
    expect(await own.connection.getFirstAvailableBlock()).toBeGreaterThan(slot)
    await own.close()
  })
})
