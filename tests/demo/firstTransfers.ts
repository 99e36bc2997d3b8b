import type { ServedChain } from '../transfers/servedChain.js'
import type { TransferPlan } from '../transfers/transfer.js'

/** The sandbox's chains: two EVM ones, Solana, Bitcoin, the XRP Ledger, Hedera, TON, Tron, Hyperliquid and Lighter. */
export type Place = 'a' | 'b' | 'solana' | 'bitcoin' | 'ledger' | 'hedera' | 'ton' | 'tron' | 'hyperliquid' | 'lighter'

export interface Asked extends Pick<TransferPlan, 'tradeType' | 'referrer' | 'into' | 'more'> {
  readonly from: Place
  /** Where it goes; without it, between the first two chains. */
  readonly to?: Place
  readonly symbol: string
  /** In whole units, of the side that is fixed. */
  readonly amount: string
  /** Which of the sandbox's users pays (default the first). */
  readonly user?: number
}

/** The first transfers of the story: what is told of each, and what is asked for. */
export const firstTransfers = ({
  a,
  b,
  solana,
  bitcoin,
  ledger,
  hedera,
  ton,
  tron,
  hyperliquid,
  lighter,
}: Readonly<Record<Place, ServedChain>>): readonly (readonly [text: string, asked: Asked])[] => [
  [`The chain's own coin, ${a.name} to ${b.name}`, { from: 'a', symbol: 'ETH', amount: '1' }],
  [`A token, ${a.name} to ${b.name}`, { from: 'a', symbol: 'USDC', amount: '250' }],
  [`A token with other decimals on each side, ${b.name} to ${a.name}`, { from: 'b', symbol: 'TIDE', amount: '40' }],
  [
    'The recipient is to get an exact amount; the quote says what that costs',
    { from: 'a', symbol: 'USDC', amount: '100', tradeType: 'EXACT_OUTPUT' },
  ],
  [
    `To another kind of chain: a token, ${a.name} to ${solana.name}, which is Solana`,
    { from: 'a', to: 'solana', symbol: 'USDC', amount: '120' },
  ],
  [
    `And back: the coin of ${solana.name}, which is a token on ${a.name}`,
    { from: 'solana', to: 'a', symbol: 'SOL', amount: '2' },
  ],
  [
    `To ${bitcoin.name}, which is Bitcoin: paid out of single coins, in the next block`,
    { from: 'a', to: 'bitcoin', symbol: 'BTC', amount: '0.05' },
  ],
  [
    `And back: the wallet signs a transaction of its own coins, seen before it is in a block`,
    { from: 'bitcoin', to: 'a', symbol: 'BTC', amount: '0.04' },
  ],
  [
    `To ${ledger.name}, which is the XRP Ledger: its coin, to an account that this payment opens`,
    { from: 'a', to: 'ledger', symbol: 'XRP', amount: '400' },
  ],
  [
    `And back: a currency that somebody issues on ${ledger.name}, counted in 15 decimals`,
    { from: 'ledger', to: 'a', symbol: 'USDC', amount: '75' },
  ],
  [
    `To ${hedera.name}, which is Hedera: its coin, to an account with a number`,
    { from: 'a', to: 'hedera', symbol: 'HBAR', amount: '900' },
  ],
  [
    `And back: a token of ${hedera.name}, by one transfer whose memo names the order`,
    { from: 'hedera', to: 'a', symbol: 'USDC', amount: '85' },
  ],
  [
    `To ${ton.name}, which is TON: its coin, by one message of a wallet`,
    { from: 'a', to: 'ton', symbol: 'TON', amount: '30' },
  ],
  [
    `And back: a jetton of ${ton.name}, whose notification names the order`,
    { from: 'ton', to: 'a', symbol: 'USDC', amount: '65' },
  ],
  [
    `To ${tron.name}, which is Tron: its coin, whose memo names the order`,
    { from: 'a', to: 'tron', symbol: 'TRX', amount: '300' },
  ],
  [`And back: a token of ${tron.name}, by its depository`, { from: 'tron', to: 'a', symbol: 'USDC', amount: '75' }],
  [
    `To ${hyperliquid.name}, which is Hyperliquid: perps USDC, to an account that this payment opens`,
    { from: 'a', to: 'hyperliquid', symbol: 'USDC', amount: '55' },
  ],
  [
    `And back: a transfer of ${hyperliquid.name}, whose nonce is signed for the order`,
    { from: 'hyperliquid', to: 'a', symbol: 'USDC', amount: '65' },
  ],
  [
    `To ${lighter.name}, which is Lighter: the dollar of its perpetuals, whose memo names the order`,
    { from: 'a', to: 'lighter', symbol: 'USDC', amount: '90' },
  ],
  [
    `And back: ether of the spot wallet, by a transfer that the owner signs too`,
    { from: 'lighter', to: 'a', symbol: 'ETH', amount: '0.1' },
  ],
]
