import { randomBytes } from 'node:crypto'
import { refuse } from './refusal.js'

/** A spot token, as `spotMeta` lists it. */
export interface SpotToken {
  readonly name: string
  /** `0x` and 32 hex digits. */
  readonly tokenId: string
  readonly index: number
  readonly szDecimals: number
  /** Decimal places of the ledger. */
  readonly weiDecimals: number
  /** Pays for activations (quote token). */
  readonly isQuote: boolean
}

export type Network = 'Mainnet' | 'Testnet'

const MAINNET_ID = 1337

/** The network that an exchange of this id stands for. */
export const networkOf = (chainId: number): Network => (chainId === MAINNET_ID ? 'Mainnet' : 'Testnet')

const USDC_IDS: Readonly<Record<Network, string>> = {
  Mainnet: '0x6d1e7cde53ba9467b783cb7c530ce054',
  Testnet: '0xeb62eee3685fc4c43992febcd9e75443',
}
const HYPE_IDS: Readonly<Record<Network, string>> = {
  Mainnet: '0x0d01dc56dcaaca66ad901c959b4011ec',
  Testnet: '0x7317beb7cceed72ef0b346074cc8e7ab',
}

/** Token id of spot USDC on the network of a chain id. */
export const spotUsdcOf = (chainId: number): string => USDC_IDS[networkOf(chainId)]

/** The builder DEX of every local exchange; its collateral is USDC. */
export const BUILDER_DEX = 'xyz'

/** Tokens of an exchange. Positions in the list and indexes differ, as on the public exchange. */
export class SpotTokens {
  readonly usdc: SpotToken
  readonly #all: SpotToken[]

  constructor(network: Network) {
    this.usdc = { name: 'USDC', tokenId: USDC_IDS[network], index: 0, szDecimals: 8, weiDecimals: 8, isQuote: true }
    const hype = { name: 'HYPE', tokenId: HYPE_IDS[network], index: 150, szDecimals: 2, weiDecimals: 8, isQuote: false }
    this.#all = [this.usdc, hype]
  }

  get all(): readonly SpotToken[] {
    return this.#all
  }

  create(token: Pick<SpotToken, 'name' | 'szDecimals' | 'weiDecimals'>): SpotToken {
    const index = 151 + this.#all.length
    const made = { ...token, index, tokenId: `0x${randomBytes(16).toString('hex')}`, isQuote: false }
    this.#all.push(made)
    return made
  }

  withId(tokenId: string): SpotToken | undefined {
    return this.#all.find((token) => token.tokenId === tokenId.toLowerCase())
  }

  /** The token of an action: `NAME:0xid`. @throws Refusal */
  named(text: string): SpotToken {
    return this.#all.find(({ name, tokenId }) => text === `${name}:${tokenId}`) ?? refuse(`Unknown token ${text}`)
  }
}
