import { afterAll, afterEach, beforeAll } from 'vitest'
import { BVM_ID, EVM_ID, SVM_ID } from './bitcoinNetwork.js'
import { type BitcoinWorld, startBitcoinWorld } from './bitcoinWorld.js'

export const SOL = '1'.repeat(32)
export let world: BitcoinWorld
export let network: BitcoinWorld['network']
export let client: BitcoinWorld['client']
export let pool: BitcoinWorld['pool']

export const ROUTES = [
  { from: EVM_ID, to: BVM_ID, what: 'a token of an EVM chain to Bitcoin' },
  { from: BVM_ID, to: EVM_ID, what: 'Bitcoin to a token of an EVM chain' },
  { from: SVM_ID, to: BVM_ID, what: 'a token of Solana to Bitcoin' },
  { from: BVM_ID, to: SVM_ID, what: 'Bitcoin to a token of Solana' },
] as const

/** What the public client names while no wallet is connected (wire.md 0.5). */
export const NOBODY = {
  [EVM_ID]: '0x000000000000000000000000000000000000dead',
  [SVM_ID]: 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr',
  [BVM_ID]: '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo',
} as const

/** Starts a host over Bitcoin, an EVM chain and Solana before the tests of a file, and stops it afterwards. */
export const useBitcoin = (): void => {
  beforeAll(async () => {
    world = await startBitcoinWorld()
    ;({ network, client, pool } = world)
  })
  // A test that fails keeps no other waiting for blocks.
  afterEach(() => network.miner.resume())
  afterAll(() => world?.close())
}
