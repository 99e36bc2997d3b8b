import {
  deployScriptedWallets,
  type FaultProxy,
  type ScriptedWallets,
  startFaultProxy,
} from '@causeway/chain-evm/testing'
import { signatureProbeBytecode } from '@causeway/contracts-abi'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi } from '../harness/apiCall.js'
import { startTestHost } from '../harness/host/host.js'
import { newWallet, SESSION, type SigningContract, sessionHeaders, signedMessage } from './dashboardSession.js'
import { type HttpWorld, leakIn, startHttpWorld } from './httpWorld.js'

/** How the proxy names the call in which a wallet is asked. */
const PROBE = `eth_call ${signatureProbeBytecode.slice(0, 10)}`

let world: HttpWorld
/** Before the node of the first chain. */
let node: FaultProxy
let wallets: ScriptedWallets

beforeAll(async () => {
  world = await startHttpWorld({
    rpcUrls: async ({ chains: [{ chain }] }) => {
      node = await startFaultProxy(chain.rpcUrl)
      return { [chain.chainId]: node.url }
    },
  })
  wallets = await deployScriptedWallets(first().chain)
})
afterEach(() => node.clear())
afterAll(async () => {
  await world?.close()
  await node?.close()
})

const first = () => world.network.chains[0]
const second = () => world.network.chains[1]

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

  it('not by another key, not deployed by another key either', async () => {
    const key = newWallet()
    const address = await wallets.make(key.address)
    expectRefusal(await signIn(newWallet(), { address }), 'does not take it for its own')
    expectRefusal(await signIn(newWallet(), wallets.foresee(key.address)), 'does not take it for its own')
  })

  it('not by naming another chain, where the same address is nobody', async () => {
    const key = newWallet()
    const { chainId } = second().chain
    const address = await wallets.make(key.address)
    expectRefusal(await signIn(key, { address, chainId }), `no contract wallet at the address on chain ${chainId}`)
  })

  it('not by another message than the one that was signed, nor twice', async () => {
    const key = newWallet()
    const contract = { address: await wallets.make(key.address), chainId: first().chain.chainId }
    const signed = await signedMessage(world.host.url, key, contract)
    const other = await signedMessage(world.host.url, key, contract)
    const mixed = { message: signed.message, signature: other.signature }
    expectRefusal(await callApi(world.host.url, SESSION, { body: mixed }), 'does not take it for its own')
    expect((await callApi(world.host.url, SESSION, { body: signed })).status).toBe(200)
    expectRefusal(await callApi(world.host.url, SESSION, { body: signed }), 'used before')
  })

  it('F82: one that does its worst is 401 like any other, and the chain goes on being asked', async () => {
    for (const mood of ['burns-gas', 'reverts-long', 'answers-long', 'yes-to-nobody'] as const) {
      const key = newWallet()
      expectRefusal(
        await signIn(key, { address: await wallets.make(key.address, mood) }),
        'does not take it for its own',
      )
    }
    const key = newWallet()
    expect((await signIn(key, { address: await wallets.make(key.address) })).status).toBe(200)
  })

  it('one that says yes to everything lets anybody in as itself, and as nobody else', async () => {
    const address = await wallets.make(newWallet().address, 'always-yes')
    const answer = await signIn(newWallet(), { address })
    expect(await whoIs(answer)).toMatchObject({ role: 'integrator', wallet: address, integrator: { name: address } })
    expectRefusal(await signIn(newWallet(), { address: newWallet().address }), 'no contract wallet at the address')
  })

  it('while the chain cannot be asked it is 503, and accounts come in all the same', async () => {
    const key = newWallet()
    const address = await wallets.make(key.address)
    node.add('eth_call', { httpStatus: 500 })
    const answer = await signIn(key, { address })
    expect(answer.status).toBe(503)
    expect(leakIn(world, answer.text)).toBeNull()
    expect((await callApi(world.host.url, SESSION, { body: await signedMessage(world.host.url, key) })).status).toBe(
      200,
    )
    node.clear()
    expect((await signIn(key, { address })).status).toBe(200)
  })
})

it('strangers have nodes asked thirty times a minute at most, however often they call', async () => {
  const [{ chain }] = world.network.chains
  const host = await startTestHost({ ...world, rpcUrls: { [chain.chainId]: node.url } })
  const asked = () => [...node.calls].reduce((sum, [call, times]) => (call.startsWith(PROBE) ? sum + times : sum), 0)
  const before = asked()
  const contract = { address: newWallet().address, chainId: chain.chainId }
  const body = await signedMessage(host.url, newWallet(), contract)
  const answers = await Promise.all(Array.from({ length: 60 }, () => callApi(host.url, SESSION, { body })))
  expect(asked() - before).toBe(30)
  const statuses = answers.map(({ status }) => status)
  expect([401, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([30, 30])
  await host.stop()
})
