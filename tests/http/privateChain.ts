export const PRIVATE_CHAIN = 70_009
export const PRIVATE_ID = '2f6f0c0a-8a3c-4c51-9a52-6f1a3d1b0f11'

/** A chain that is served without being shown; nothing answers there. */
export const COVE = {
  id: PRIVATE_CHAIN,
  slug: 'cove',
  name: 'Private',
  package: '@causeway/chain-evm',
  rpc: [{ http: 'http://127.0.0.1:1' }],
  currencies: [],
  privateId: PRIVATE_ID,
  options: { depository: `0x${'0d'.repeat(20)}` },
} as const
