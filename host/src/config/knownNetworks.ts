/**
 * Chain ids whose network everyone knows (chains.md, Names; wire.md K.5 2), to catch a mixture of real and test money.
 * Ids that are not listed are taken as the operator says.
 */
const MAINNET_IDS: ReadonlySet<number> = new Set([
  1, 10, 25, 56, 100, 130, 137, 146, 250, 295, 324, 480, 999, 1101, 1329, 1337, 2020, 2741, 5000, 7777777, 8453, 34443,
  42161, 42220, 43114, 57073, 59144, 80094, 81457, 167000, 534352, 537724, 3586256, 8253038, 9286185, 224235520,
  728126428, 792703809,
])

const TESTNET_IDS: ReadonlySet<number> = new Set([
  97, 296, 338, 4002, 10200, 17000, 31337, 43113, 44787, 59141, 80002, 84532, 168587773, 421614, 534351, 537725, 560048,
  9092725, 11155111, 11155420, 1936682084, 2494104990, 3448148188,
])

export const knownNetwork = (chainId: number): 'mainnet' | 'testnet' | undefined => {
  if (MAINNET_IDS.has(chainId)) return 'mainnet'
  return TESTNET_IDS.has(chainId) ? 'testnet' : undefined
}
