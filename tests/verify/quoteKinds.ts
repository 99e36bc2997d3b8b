import type { QuoteKind } from './quoteWorld.js'

/** Deposits of each form that a quote can ask for. */
export const KINDS: readonly (QuoteKind & { readonly name: string })[] = [
  { name: 'EVM native', from: 'evm', symbol: 'ETH', amount: 10n ** 17n },
  {
    name: 'EVM token by depository call',
    from: 'evm',
    symbol: 'USDC',
    amount: 25n * 10n ** 18n,
    more: { explicitDeposit: true },
  },
  {
    name: 'EVM token by bare transfer',
    from: 'evm',
    symbol: 'GOLD',
    amount: 3n * 10n ** 6n,
    more: { explicitDeposit: false },
  },
  { name: 'Solana native with a memo', from: 'svm', symbol: 'SOL', amount: 10n ** 9n },
  { name: 'SPL token with a memo', from: 'svm', symbol: 'USDC', amount: 25n * 10n ** 6n },
  { name: 'Token-2022 with a memo', from: 'svm', symbol: 'GOLD', amount: 3n * 10n ** 9n },
  { name: 'Solana native by program', from: 'svm', symbol: 'SOL', amount: 10n ** 9n, byProgram: true },
  { name: 'SPL token by program', from: 'svm', symbol: 'USDC', amount: 25n * 10n ** 6n, byProgram: true },
]
