import {
  deployScriptedWallets,
  type FaultProxy,
  type ScriptedWallets,
  startFaultProxy,
} from '@causeway/chain-evm/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi } from '../harness/apiCall.js'
import { operatorToken } from '../harness/host/host.js'
import { until } from '../harness/until.js'
import { newWallet, SESSION, type SigningContract, sessionHeaders, signedMessage } from './dashboardSession.js'
import { type HttpWorld, leakIn, startHttpWorld } from './httpWorld.js'

let world: HttpWorld
/** Before the node of the first chain, as three providers; the first is asked first. */
let nodes: readonly FaultProxy[]
let wallets: ScriptedWallets

const clear = (): void => {
  for (const node of nodes) node.clear()
}

beforeAll(async () => {
  world = await startHttpWorld({
    rpcUrls: async ({ chains: [{ chain }] }) => {
      nodes = await Promise.all([1, 2, 3].map(() => startFaultProxy(chain.rpcUrl)))
      return { [chain.chainId]: nodes.map(({ url }) => url) }
    },
  })
  wallets = await deployScriptedWallets(first().chain)
})
afterEach(clear)
afterAll(async () => {
  await world?.close()
  for (const node of nodes ?? []) await node.close()
})

const first = () => world.network.chains[0]

type Key = ReturnType<typeof newWallet>

/** Signs in with what a key signs for a contract wallet on the first chain, unless told. */
const signIn = async (key: Key, contract: Omit<SigningContract, 'chainId'> & Partial<SigningContract>) => {
  const signing = { chainId: first().chain.chainId, ...contract }
  return callApi(world.host.url, SESSION, { body: await signedMessage(world.host.url, key, signing) })
}

const whoIs = async (answer: ApiAnswer) =>
  (await callApi(world.host.url, SESSION, { headers: sessionHeaders(answer) })).body

/** A refusal that tells a stranger why, and nothing of ours. */
const expectRefusal = (answer: ApiAnswer, reason: string): void => {
  expect(answer).toMatchObject({ status: 401, body: { message: expect.stringContaining(reason) } })
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(leakIn(world, answer.text)).toBeNull()
}

describe('a contract wallet signs in over HTTP (EIP-4361, EIP-1271, ERC-6492)', () => {
  it('that is deployed', async () => {
    const key = newWallet()
    const address = await wallets.make(key.address)
    const answer = await signIn(key, { address })
    expect(answer.status).toBe(200)
    expect(await whoIs(answer)).toMatchObject({ role: 'integrator', wallet: address })
  })

  it('that is not deployed yet, and is not afterwards', async () => {
    const key = newWallet()
    const coming = wallets.foresee(key.address)
    expectRefusal(await signIn(key, { address: coming.address }), 'no contract wallet at the address')
    const answer = await signIn(key, coming)
    expect(answer.status).toBe(200)
    expect(await whoIs(answer)).toMatchObject({ wallet: coming.address })
    expect(await first().chain.rpc('eth_getCode', [coming.address, 'latest'])).toBe('0x')
  })

  it('one that says yes to everything lets anybody in as itself, and as nobody else', async () => {
    const address = await wallets.make(newWallet().address, 'always-yes')
    const answer = await signIn(newWallet(), { address })
    expect(await whoIs(answer)).toMatchObject({ role: 'integrator', wallet: address, integrator: { name: address } })
    expectRefusal(await signIn(newWallet(), { address: newWallet().address }), 'no contract wallet at the address')
  })

  it('F144: one provider that says yes to everything lets nobody in, the operator least of all', async () => {
    const owner = newWallet()
    const address = await wallets.make(owner.address)
    const opened = await callApi(world.host.url, `${SESSION}/operator`, {
      body: { token: await operatorToken(world.database.pool) },
    })
    const operator = sessionHeaders(opened)
    const set = { method: 'PUT', body: { operator: true, chainId: first().chain.chainId } }
    const path = `/dashboard/api/wallets/${address}`
    expect((await callApi(world.host.url, path, { ...set, headers: operator })).status).toBe(200)
    for (const [at, liar] of nodes.entries()) {
      liar.add('eth_call', { rewrite: () => `0x${'1'.padStart(64, '0')}` })
      for (let i = 0; i < 3; i += 1) {
        const answer = await signIn(newWallet(), { address })
        expect([at, answer.status, answer.headers.get('set-cookie')]).toEqual([at, 401, null])
      }
      liar.clear()
    }
    expect(await whoIs(await signIn(owner, { address }))).toMatchObject({ role: 'operator' })
  })

  it('while the chain cannot be asked it is 503, and accounts come in all the same', async () => {
    const key = newWallet()
    const address = await wallets.make(key.address)
    for (const node of nodes) node.add('eth_call', { httpStatus: 500 })
    const answer = await signIn(key, { address })
    expect(answer.status).toBe(503)
    expect(leakIn(world, answer.text)).toBeNull()
    expect((await callApi(world.host.url, SESSION, { body: await signedMessage(world.host.url, key) })).status).toBe(
      200,
    )
    clear()
    await until('the nodes to be trusted', async () => ((await signIn(key, { address })).status === 200 ? true : null))
  })
})
