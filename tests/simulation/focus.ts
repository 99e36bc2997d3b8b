import { seeded } from './kernel/random.js'

/** Main subject of the story of a world: a rule that needs several events of one kind at once is reached there. */
export interface Focus {
  /** Feature of the service that the world has; all others are off. */
  readonly needs: 'addresses' | 'balances' | 'permits' | null
  /** How often each action is chosen, against the others. */
  readonly shares: Readonly<Record<string, number>>
  /** Its steps come one by one, since they need those before; else mostly together. */
  readonly slow?: true
}

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
  { needs: 'balances', shares: { claim: 8, 'top-up': 4, transfer: 1 }, slow: true },
  { needs: 'balances', shares: { 'fast fill': 12, transfer: 1 } },
  { needs: 'balances', shares: { 'deposit after a price move': 10, transfer: 1 } },
  { needs: 'addresses', shares: { 'payment to an address': 12, 'sweep by a stranger': 1, transfer: 1 } },
  {
    needs: null,
    shares: { transfer: 8, 'signers away': 2, 'failover that loses commits': 1, 'older database put back': 2 },
    slow: true,
  },
  { needs: null, shares: { transfer: 8, reorg: 2, 'reorg taken back': 3, 'trouble of a node': 1 }, slow: true },
]

/** A sixth of the worlds has one, drawn by a generator of its own. */
export const focusOf = (seed: number): Focus | null => {
  const random = seeded(`${seed}/focus`)
  return random.chance(1 / 6) ? random.pick(FOCI) : null
}
