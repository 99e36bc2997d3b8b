import type { JsonRpcProtocol } from '@causeway/core/chain-kit'

/** JSON-RPC of an EVM node: known by its chain id, and a broadcast is never repeated unseen. */
export const evmProtocol = (chainId: number): JsonRpcProtocol => ({
  identify: { method: 'eth_chainId', params: [], matches: (result) => Number(result) === chainId },
  unrepeatable: new Set(['eth_sendRawTransaction']),
})
