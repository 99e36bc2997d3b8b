import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  CHAIN_ID,
  type Contracts,
  type DashboardWorld,
  newWallet,
  OTHER_CHAIN_ID,
  personOf,
  SIGNLESS_CHAIN_ID,
  signInOperator,
  siweMessage,
  startDashboard,
  type TestWallet,
} from '../dashboardWorld.test.support.js'

const SESSION = '/dashboard/api/session'

let world: DashboardWorld
const contracts: readonly [Contracts, Contracts] = [new Map(), new Map()]
const [here, elsewhere] = contracts

beforeAll(async () => {
  world = await startDashboard({ contracts })
})
afterAll(() => world?.close())

/** The address of a contract wallet that listens to the key. */
const newContract = (owner: TestWallet, on: Contracts = here) => {
  const { address } = newWallet()
  on.set(address.toLowerCase(), owner.address)
  return { address }
}

const signInBy = async (
  owner: TestWallet,
  wallet: { readonly address: `0x${string}` },
  chainId = CHAIN_ID,
  host = world,
): Promise<Answer> => {
  const message = await siweMessage(host, wallet, { chainId })
  return host.call(SESSION, { body: { message, signature: await owner.signMessage({ message }) } })
}

/** What an operator says of a wallet. */
const set = async (address: string, body: object) =>
  world.as(await signInOperator(world), `/dashboard/api/wallets/${address}`, { method: 'PUT', body })

describe('signing in with a contract wallet (EIP-1271)', () => {
  it('opens a session of an integrator of its own, noted with the chain of the message', async () => {
    const owner = newWallet()
    const wallet = newContract(owner)
    const answer = await signInBy(owner, wallet)
    expect(answer).toMatchObject({ status: 200 })
    const address = wallet.address.toLowerCase()
    expect((await world.as(personOf(answer), SESSION)).body).toMatchObject({ role: 'integrator', wallet: address })
    const { rows } = await world.database.pool.query<{ details: unknown }>(
      `select details from operator_audit where action = 'dashboard sign-in' order by id desc limit 1`,
    )
    expect(rows[0]?.details).toEqual({ isNew: true, chainId: CHAIN_ID })
    expect((await signInBy(owner, wallet)).status).toBe(200)
  })

  it('by another key, or where there is no contract, is 401 with the reason', async () => {
    const owner = newWallet()
    const wallet = newContract(owner)
    expect(await signInBy(newWallet(), wallet)).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining(`the contract wallet on chain ${CHAIN_ID} does not take it`) },
    })
    expect(await signInBy(owner, wallet, OTHER_CHAIN_ID)).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining(`no contract wallet at the address on chain ${OTHER_CHAIN_ID}`) },
    })
    expect((await signInBy(owner, wallet, SIGNLESS_CHAIN_ID)).status).toBe(401)
  })

  it('a message is good once, and of a chain that cannot be asked no contract signs in', async () => {
    const owner = newWallet()
    const wallet = newContract(owner)
    const message = await siweMessage(world, wallet)
    const body = { message, signature: await owner.signMessage({ message }) }
    expect((await world.call(SESSION, { body })).status).toBe(200)
    expect(await world.call(SESSION, { body })).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('used before') },
    })
    const open = await startDashboard({ beside: world, publicUrl: world.url, chainIds: [1] })
    expect(await signInBy(owner, wallet, 1, open)).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('contract wallets of chain 1 cannot be asked here') },
    })
    await open.close()
  })
})

describe('whose wallet an address is', () => {
  it('a contract at the same address on another chain is not the wallet that is known', async () => {
    const [owner, other] = [newWallet(), newWallet()]
    const wallet = newContract(owner)
    elsewhere.set(wallet.address.toLowerCase(), other.address)
    expect((await signInBy(owner, wallet)).status).toBe(200)
    expect(await signInBy(other, wallet, OTHER_CHAIN_ID)).toMatchObject({
      status: 403,
      cookies: [],
      body: { message: expect.stringContaining(`known here as a contract on chain ${CHAIN_ID}`) },
    })
  })

  it('a contract does not take the place of an account that is known, nor of an operator whom no chain was named for', async () => {
    const [account, owner] = [newWallet(), newWallet()]
    here.set(account.address.toLowerCase(), owner.address)
    expect((await signInBy(account, account)).status).toBe(200)
    expect(await signInBy(owner, account)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('known here as an account with a key') },
    })
    const wallet = newContract(owner)
    expect(await set(wallet.address, { operator: true })).toMatchObject({ status: 200, body: { chainId: null } })
    expect((await signInBy(owner, wallet)).status).toBe(403)
    expect(await set(wallet.address, { chainId: CHAIN_ID })).toMatchObject({
      status: 200,
      body: { operator: true, chainId: CHAIN_ID },
    })
    const person = personOf(await signInBy(owner, wallet))
    expect((await world.as(person, SESSION)).body).toMatchObject({ role: 'operator' })
  })

  it('the key of the address itself signs in on any chain, also where a contract is there', async () => {
    const [account, owner] = [newWallet(), newWallet()]
    here.set(account.address.toLowerCase(), owner.address)
    for (const [signer, chainId] of [
      [owner, CHAIN_ID],
      [account, CHAIN_ID],
      [account, OTHER_CHAIN_ID],
    ] as const) {
      expect((await signInBy(signer, account, chainId)).status).toBe(200)
    }
  })

  it('another chain ends the sessions of the wallet; null keeps contracts out', async () => {
    const owner = newWallet()
    const wallet = newContract(owner)
    const person = personOf(await signInBy(owner, wallet))
    expect((await set(wallet.address, { operator: false })).status).toBe(200)
    expect((await world.as(person, SESSION)).status).toBe(200)
    expect(await set(wallet.address, { chainId: null })).toMatchObject({ body: { chainId: null } })
    expect((await world.as(person, SESSION)).status).toBe(401)
    expect((await signInBy(owner, wallet)).status).toBe(403)
    expect(await set(wallet.address, {})).toMatchObject({ status: 400 })
    for (const chainId of [0, -1, 1.5, '1', 2 ** 53]) {
      expect(await set(wallet.address, { chainId })).toMatchObject({ status: 400 })
    }
  })
})

describe('what strangers can have asked', () => {
  it('thirty questions a minute of one address are asked; an account signs in all the same', async () => {
    let asked = 0
    class Counted extends Map<string, string> {
      override get(key: string): string | undefined {
        asked += 1
        return super.get(key)
      }
    }
    const host = await startDashboard({ beside: world, publicUrl: world.url, contracts: [new Counted(), new Map()] })
    const stranger = newWallet()
    const message = await siweMessage(host, newContract(stranger))
    const body = { message, signature: await stranger.signMessage({ message }) }
    const statuses: number[] = []
    for (let i = 0; i < 35; i += 1) statuses.push((await host.call(SESSION, { body })).status)
    expect(statuses).toEqual([...Array(30).fill(401), ...Array(5).fill(429)])
    expect(asked).toBe(30)
    for (const broken of [
      { ...body, message: `${message} ` },
      { ...body, signature: 'none' },
    ]) {
      expect((await host.call(SESSION, { body: broken })).status).toBe(401)
    }
    expect((await signInBy(stranger, stranger, CHAIN_ID, host)).status).toBe(200)
    host.tick(60_000)
    expect((await host.call(SESSION, { body })).status).toBe(401)
    await host.close()
  })

  it('a signature that is too long is refused before anything is asked', async () => {
    const owner = newWallet()
    const message = await siweMessage(world, newContract(owner))
    const answer = await world.call(SESSION, { body: { message, signature: `0x${'ab'.repeat(8_193)}` } })
    expect(answer.status).toBe(400)
  })
})
