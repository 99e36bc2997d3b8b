import type { SandboxCurrency } from '../sandbox/sandbox.js'

/** Coins of which one is worth far more, or far less, than what somebody tries with. */
const AMOUNTS: ReadonlyMap<string, string> = new Map([
  ['ETH', '0.1'],
  ['SOL', '0.1'],
  ['BTC', '0.1'],
  ['HBAR', '250'],
  ['TRX', '250'],
])

/**
 * The amount that stands there before anybody wrote one: so much that the network's costs are a small part of it, and less than
 * every account of the sandbox holds, and than a wallet of one's own is given.
 */
export const usualAmount = ({ symbol }: Pick<SandboxCurrency, 'symbol'>): string => AMOUNTS.get(symbol) ?? '25'
