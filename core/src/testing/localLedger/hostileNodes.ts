import type { ConformanceHarness, HostileEndpoint } from '../conformance/conformanceHarness.js'
import type { Shown } from './ledgerView.js'

/**
 * Endpoints for the conformance kit: of another chain, stale, forked, pruned, and one that lists two items in a page.
 * @param ledger a local ledger, or its handle
 * @param other starts a ledger of the same kind with another id
 * @param finalDepth of the harness
 */
export const hostileNodes = (
  ledger: { addNode(shown: Shown): Promise<HostileEndpoint> },
  { other, finalDepth }: { readonly other: () => Promise<HostileEndpoint>; readonly finalDepth: number },
): Required<Pick<ConformanceHarness, 'hostile' | 'forget'>> & { smallPages(): Promise<HostileEndpoint> } => ({
  hostile: async (kind) => {
    if (kind === 'wrong-chain') return other()
    return ledger.addNode(kind === 'forked' ? { forked: true } : { frozenAt: 0 })
  },
  forget: () => ledger.addNode({ kept: finalDepth + 1 }),
  smallPages: () => ledger.addNode({ mostListed: 2 }),
})
