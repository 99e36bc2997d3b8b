import type { ConformanceHarness, HostileEndpoint } from '../conformance/conformanceHarness.js'
import type { LocalChain } from '../localChain/localChain.js'
import type { LedgerHandle } from './ledgerHandle.js'
import type { Shown } from './ledgerView.js'

/**
 * Endpoints for the conformance kit: of another chain, stale, forked, pruned, and one that lists two items in a page.
 * @param other starts a ledger of the same kind with another id
 * @param finalDepth of the harness
 */
export const hostileNodes = (
  ledger: Pick<LedgerHandle, 'addNode'>,
  {
    other,
    finalDepth,
  }: { readonly other: () => Promise<Pick<LocalChain, 'endpoint' | 'close'>>; readonly finalDepth: number },
): Required<Pick<ConformanceHarness, 'hostile' | 'forget'>> & { smallPages(): Promise<HostileEndpoint> } => {
  const node = async (shown: Shown): Promise<HostileEndpoint> => {
    const added = await ledger.addNode(shown)
    return { endpoint: added.endpoint, close: () => added.close() }
  }
  return {
    hostile: async (kind) => {
      if (kind === 'wrong-chain') return other()
      return node(kind === 'forked' ? { forked: true } : { frozenAt: 0 })
    },
    forget: () => node({ kept: finalDepth + 1 }),
    smallPages: () => node({ mostListed: 2 }),
  }
}
