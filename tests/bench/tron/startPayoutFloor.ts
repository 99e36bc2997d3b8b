import { createHash, randomBytes } from 'node:crypto'
import { words } from '@causeway/chain-tvm/testing'
import { bytesToHex } from '@causeway/core'
import { startScript } from '../benchWorld.js'
import { startNodeProxies } from './nodeProxy.js'
import type { TronWorld } from './tronWorld.js'

interface Options {
  readonly pollMs: number
  readonly sun: bigint
}

const TRANSFER = 'a9059cbb'

/** A script that pays on the second network for what arrives on the first, behind proxies of its own; `one` is the milliseconds of one. */
export const startPayoutFloor = async (world: TronWorld, { pollMs, sun }: Options) => {
  const { kind, origin, destination } = world
  // The host reads whole blocks, so its proxies hear of a deposit to the script, too.
  const proxies = startNodeProxies()
  const [user] = origin.users
  const token = origin.deployment.currencies.find(({ symbol }) => symbol === 'USDC')?.address
  if (user === undefined || token === undefined) throw new Error('There is no user with a token')
  const payer = kind.testing.keyOf(createHash('sha256').update('payer of the script').digest())
  await destination.local.fund(payer.address, 100_000n * sun)
  const till = await kind.testing.readChain(origin.local).freshAddress()
  const script = startScript('tron/payoutFloor.js', [
    JSON.stringify({
      origin: await proxies.before(origin.local.endpoint.http),
      destination: await proxies.before(destination.local.endpoint.http),
      ...{ token: hexOf(token), pollMs, payer: payer.address, privateKey: payer.privateKey, sun: Number(sun) },
      recipient: await kind.testing.readChain(destination.local).freshAddress(),
    }),
  ])
  await script.said('ready')
  const wallet = kind.testing.openWallet(origin.local, user.walletKey)
  return {
    one: async (): Promise<number> => {
      const id = bytesToHex(randomBytes(32))
      const passed = proxies.passed(id)
      const parameter = {
        ...{ owner_address: hexOf(user.address), contract_address: hexOf(token) },
        data: TRANSFER + words(till, 1n) + id.slice(2),
      }
      const deposit = await wallet.prepare([{ items: [{ data: { type: 'TriggerSmartContract', parameter } }] }])
      await deposit.send()
      const { answered, sent } = await passed
      return sent - answered
    },
    close: async () => {
      await script.stop()
      await proxies.close()
    },
  }
}

/** Hex of a canonical address. */
const hexOf = (address: string): string => `41${words(address).slice(24)}`
