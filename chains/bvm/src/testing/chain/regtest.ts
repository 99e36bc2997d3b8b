import { initEccLib, networks, Transaction } from 'bitcoinjs-lib'
import { ecc } from '../../address/curve.js'

initEccLib(ecc)

/** Address forms of regtest: `m`, `n`, `2` and `bcrt1`. */
export const REGTEST = networks.regtest

/** What a block pays its miner, in satoshis: always the same here, while regtest itself halves it every 150 blocks. */
export const SUBSIDY = 50n * 100_000_000n

/** The easiest target: one hash in two meets it. */
export const TARGET_BITS = 0x207fffff

/** The first block, which every regtest has, by which an adapter knows the network. */
export const GENESIS = {
  hash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  time: 1_296_688_602,
  nonce: 2,
  coinbase: () =>
    Transaction.fromHex(
      [
        '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054',
        '696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f75742066',
        '6f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb6',
        '49f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
      ].join(''),
    ),
} as const

/** Hex without `0x`, as Bitcoin writes it. */
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Hashes are shown with their bytes reversed. */
export const shown = (hash: Uint8Array): string => Buffer.from(hash).reverse().toString('hex')
