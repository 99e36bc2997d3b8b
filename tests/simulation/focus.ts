import { seeded } from './kernel/random.js'

/** Main subject of the story of a world: a rule that needs several events of one kind at once is reached there. */
export interface Focus {
  /** Feature of the service that the world has; all others are off. */
  readonly needs: 'addresses' | 'balances' | 'permits' | null
  /** How often each action is chosen, against the others. */
  readonly shares: Readonly<Record<string, number>>
  /** Longest delay between two steps, virtual milliseconds, where they come one by one; default: they come mostly together. */
  readonly paceMs?: number
}

/** Many transfers are under way at once. */
const CLOSE_MS = 1_500
/** A fault has time to come between two steps. */
const APART_MS = 3_000

/** Faults by which the database forgets. */
const LOST_COMMITS = { 'failover that loses commits': 1, 'older database put back': 2 } as const

const FOCI: readonly Focus[] = [
  {
    needs: 'permits',
    shares: {
      'deposit by signature': 10,
      'pair of signatures': 4,
      'signature used by a stranger': 1,
      'signature posted again': 1,
      transfer: 1,
    },
  },
  {
    needs: 'permits',
    shares: { 'deposit of a third party': 4, 'deposit by signature': 2, transfer: 1 },
    paceMs: APART_MS,
  },
  { needs: 'permits', shares: { 'deposit by signature': 8, transfer: 1, ...LOST_COMMITS }, paceMs: CLOSE_MS },
  { needs: 'balances', shares: { claim: 8, 'top-up': 4, transfer: 1 }, paceMs: APART_MS },
  { needs: 'balances', shares: { claim: 8, 'top-up': 2, transfer: 1, ...LOST_COMMITS }, paceMs: CLOSE_MS },
  { needs: 'balances', shares: { transfer: 10, claim: 3, reorg: 3, 'closed account': 1 }, paceMs: APART_MS },
  {
    needs: 'balances',
    shares: { 'top-up': 8, 'trouble of a node': 3, reorg: 2, claim: 1, transfer: 1 },
    paceMs: APART_MS,
  },
  { needs: 'balances', shares: { 'fast fill': 12, transfer: 1 } },
  { needs: 'balances', shares: { 'fast fill': 12, reorg: 3, 'closed account': 2, transfer: 1 }, paceMs: APART_MS },
  { needs: 'balances', shares: { 'deposit after a price move': 10, transfer: 1 } },
  { needs: 'addresses', shares: { 'payment to an address': 12, 'sweep by a stranger': 1, transfer: 1 } },
  {
    needs: 'addresses',
    shares: { 'payment to an address': 8, releases: 1, transfer: 1, ...LOST_COMMITS },
    paceMs: CLOSE_MS,
  },
  { needs: null, shares: { transfer: 8, 'signers away': 2, ...LOST_COMMITS }, paceMs: CLOSE_MS },
  { needs: null, shares: { transfer: 8, 'signers away': 2, reorg: 3 }, paceMs: APART_MS },
  { needs: null, shares: { transfer: 8, 'scarce blocks': 3, reorg: 1, 'closed account': 1 }, paceMs: APART_MS },
  { needs: null, shares: { transfer: 8, 'trouble of a node': 4, 'scarce blocks': 1, reorg: 1 }, paceMs: APART_MS },
  { needs: null, shares: { transfer: 8, 'freeze a host': 4 }, paceMs: APART_MS },
  { needs: null, shares: { transfer: 8, 'crash at a failpoint': 4, 'crash anywhere': 2 }, paceMs: APART_MS },
  { needs: null, shares: { transfer: 8, reorg: 2, 'reorg taken back': 3, 'trouble of a node': 1 }, paceMs: APART_MS },
]

/** A sixth of the worlds has one, drawn by a generator of its own. */
export const focusOf = (seed: number): Focus | null => {
  const random = seeded(`${seed}/focus`)
  return random.chance(1 / 6) ? random.pick(FOCI) : null
}
