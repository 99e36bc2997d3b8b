import type { Mutant } from './mutant.js'

/** What makes nodes that fail or lie harmless. */
export const NODE_MUTANTS: readonly Mutant[] = [
  {
    name: 'tier-ignored',
    defence: 'above the limit several providers must show a deposit (invariant 3)',
    harm: 'an invented deposit is paid',
    needs: 'a node that is asked first invents a deposit above the limit under an open order',
    by: ['trouble of a node'],
    file: 'core/dist/quorum/quorumTiers.js',
    find: 'Math.max(1, ...matching.map(({ agreeing }) => agreeing))',
    replace: '1',
  },
  {
    name: 'amount-unasked',
    defence: 'providers confirm a deposit with its very amount',
    harm: 'a deposit is paid as the larger one that one node shows',
    needs: 'a node that is asked first shows a deposit above the limit with more than it has',
    by: ['trouble of a node'],
    file: 'core/dist/chainKit/quorum/depositVote.js',
    find: 'shown.money.amount === money.amount &&',
    replace: '',
  },
  {
    name: 'one-provider-enough',
    defence: 'what one provider does not show is absent only when a second one says so',
    harm: 'a payment that one node hides counts as dead, or is overlooked when a lane opens: paid twice',
    needs:
      'one node hides a payment while the others are silent, until it has expired and some blocks more, or while an older database is opened',
    by: ['trouble of a node'],
    file: 'core/dist/chainKit/quorum/askProviders.js',
    find: 'Math.min(2, providerCount)',
    replace: 'Math.min(1, providerCount)',
  },
  {
    name: 'death-by-any',
    defence: 'a generation is dead only when all providers that answer say so',
    harm: 'a payment that landed, which one node hides, is made again',
    needs:
      'on the chain with strict order, the node that is asked first hides a payment until it has expired, while the others show it',
    by: ['trouble of a node', 'scarce blocks'],
    file: 'core/dist/chainKit/quorum/payoutVerdict.js',
    find: "return first !== undefined && verdicts.every((verdict) => verdict === first) ? first : 'alive';",
    replace: "return verdicts.includes('dead') ? 'dead' : (first ?? 'alive');",
  },
  {
    name: 'withdrawn-unasked',
    defence: 'a deposit is taken out of the depository once two providers confirm it (F05)',
    harm: 'money of others leaves the depository for a deposit that a node made up',
    needs: 'a node that invents a deposit below the limit under an open order, and goes on until it settles',
    by: ['trouble of a node'],
    file: 'plugins/solver/dist/deciding/withdrawals.js',
    find: '(await this.#isHeld(row))',
    replace: '(true)',
  },
  {
    name: 'hidden-believed',
    defence: 'a deposit that one node does not show has not left while another one shows it',
    harm: 'a deposit is taken to be gone',
    needs: 'a reorg beside a node that hides transactions, or is on a branch of its own',
    by: ['trouble of a node', 'reorg'],
    file: 'core/dist/chainKit/deposit/depositLookup.js',
    find: 'return inBlocks.length > 0 ?',
    replace: 'return inBlocks.length === readings.length && inBlocks.length > 0 ?',
  },
]
