import type { SandboxCurrency } from '../sandbox/sandbox.js'

/** Coins of which one is worth far more than what somebody tries with. */
const DEAR = new Set(['ETH', 'SOL', 'BTC'])

/**
 * The amount that stands there before anybody wrote one: so much that the network's costs are a small part of it, and less than
 * every account of the sandbox holds, and than a wallet of one's own is given.
 */
export const usualAmount = ({ symbol }: Pick<SandboxCurrency, 'symbol'>): string => (DEAR.has(symbol) ? '0.1' : '25')
