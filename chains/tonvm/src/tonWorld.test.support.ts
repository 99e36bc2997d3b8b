import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, systemClock } from '@causeway/core'
import { createEd25519Signer } from '@causeway/core/chain'
import { pino } from 'pino'
import { type TonAdapter, tonAdapter } from './adapter.js'
import { NATIVE } from './address/addresses.js'
import { addressOfKey } from './address/wallets.js'
import { startTestedTon } from './testing/testedTon.test.support.js'

const NETWORK_ID = -239

/** A key and the address of its wallet. */
export const newKey = () => {
  const signer = createEd25519Signer(bytesToHex(randomBytes(32)))
  return { signer, address: addressOfKey(signer.publicKey, NETWORK_ID) }
}

/** A local network with a jetton, and adapters over it that are stopped with it. */
export const openTonWorld = async () => {
  const network = await startTestedTon()
  const token = (await network.jetton()).address.toRawString()
  const vault = newKey()
  const adapters: TonAdapter[] = []
  const startAdapter = async (
    solver: string,
    changes: Partial<Parameters<typeof tonAdapter>[0]> = {},
  ): Promise<TonAdapter> => {
    const config = {
      ...{ id: 71_011, slug: 'local-ton', name: 'Local', package: '@causeway/chain-tonvm', solver },
      rpc: [{ ...network.chain.endpoint, provider: 'local' }],
      currencies: [
        { address: NATIVE, symbol: 'TON', name: 'Toncoin', decimals: 9, groupId: 'ton' },
        { address: token, symbol: 'TOK', name: 'Token', decimals: 6, groupId: 'token' },
      ],
      confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
      ...{ enabled: true, options: {} },
    }
    const options = {
      ...{ depository: vault.address, lifetimeSeconds: 120 },
      ...{ pollIntervalMs: 50, rpcTimeoutMs: 20_000, endpointCheckMs: 200, ...changes },
    }
    const logger = pino({ level: 'silent' })
    const adapter = tonAdapter(options, { config, clock: systemClock, logger, environment: environmentOf({}) })
    adapters.push(adapter)
    await adapter.start(new AbortController().signal)
    return adapter
  }
  /** A solver with nanotons and jettons of its own, and an adapter. */
  const startSolver = async (nanotons: bigint, jettons: bigint, changes: Parameters<typeof startAdapter>[1] = {}) => {
    const solver = newKey()
    await network.chain.fund(solver.address, nanotons)
    if (jettons > 0n) await network.chain.fund(solver.address, jettons, token)
    await network.chain.advance(2)
    return { solver, adapter: await startAdapter(solver.address, changes) }
  }
  const close = async (): Promise<void> => {
    await Promise.all(adapters.map((adapter) => adapter.stop()))
    await network.close()
  }
  return { network, token, vault, startAdapter, startSolver, close }
}

export type TonWorld = Awaited<ReturnType<typeof openTonWorld>>
