import { evmAddressOfKey, hdAccountOfSeed, hdChildOf, hdKeySource, readHdAccount } from '@causeway/core/chain-kit'
import { expect, it } from 'vitest'
import { isEvmAddress } from '../address/addresses.js'
import { depositKeyOf, readDepositKey } from './depositAddresses.js'

const SEED = new Uint8Array(32).fill(7)
const terms = { orderId: `0x${'ab'.repeat(32)}`, depositor: '0.0.1234' } as const
const PATH = "m/44'/60'/0'"
const source = () =>
  hdKeySource({
    account: readDepositKey(depositKeyOf(SEED)),
    path: PATH,
    scheme: 'secp256k1',
    addressOf: evmAddressOfKey,
  })

it('an address is the EVM address of a child of the configured public key, and its key comes from the seed', () => {
  const derived = source().derive?.(terms)
  const address = derived?.destination.address ?? ''
  expect(isEvmAddress(address)).toBe(true)
  const known = { ...terms, destination: { address }, derivation: derived?.derivation ?? null }
  expect(source().keyOf(SEED, known).address).toBe(address)
  expect(source().keyOf(new Uint8Array(32).fill(8), known).address).not.toBe(address)
})

it('addresses never change between versions: users know them', () => {
  expect(source().derive?.(terms).destination.address).toBe('0x1c04950d062bf8980aed1125fa0a9c17ab35a121')
})

it('only a public key of an account is configured', () => {
  const secret = hdAccountOfSeed(SEED, PATH)
  expect(() => readDepositKey(secret.privateExtendedKey)).toThrow(/private/)
  expect(() => readDepositKey('xpub')).toThrow(/no extended public key/)
  expect(hdChildOf(readHdAccount(depositKeyOf(SEED), 'Hedera', [undefined]), `0x${'01'.repeat(32)}`).secret).toBeNull()
})
