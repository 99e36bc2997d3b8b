import { type Network, networks } from 'bitcoinjs-lib'

export type NetworkName = 'mainnet' | 'testnet' | 'testnet4' | 'signet' | 'regtest'

/** What differs between Bitcoin's networks. */
export interface BitcoinNetwork {
  readonly name: NetworkName
  /** Human-readable part of segwit addresses. */
  readonly prefix: string
  /** Version bytes of base58 addresses. */
  readonly publicKeyHash: number
  readonly scriptHash: number
  /** Coin type of BIP-44 paths. */
  readonly coinType: 0 | 1
  /** Hash of block 0, by which a node's network is known. Test networks share all else. */
  readonly genesisHash: string
  readonly parameters: Network
}

const test = { prefix: 'tb', publicKeyHash: 0x6f, scriptHash: 0xc4, coinType: 1, parameters: networks.testnet } as const

export const NETWORKS: Readonly<Record<NetworkName, BitcoinNetwork>> = {
  mainnet: {
    name: 'mainnet',
    prefix: 'bc',
    publicKeyHash: 0x00,
    scriptHash: 0x05,
    coinType: 0,
    genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    parameters: networks.bitcoin,
  },
  testnet: {
    ...test,
    name: 'testnet',
    genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  },
  testnet4: {
    ...test,
    name: 'testnet4',
    genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  },
  signet: {
    ...test,
    name: 'signet',
    genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
  },
  regtest: {
    ...test,
    name: 'regtest',
    prefix: 'bcrt',
    genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    parameters: networks.regtest,
  },
}

/** Numeric ids of the main and the test network (wire.md 0.5). */
export const BITCOIN_CHAIN_ID = 8_253_038
export const BITCOIN_TESTNET_CHAIN_ID = 9_092_725
