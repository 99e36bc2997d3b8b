import type { NodeTrouble } from '../../chain/node/nodeTrouble.js'
import { isLie } from '../../chain/node/nodeTrouble.js'
import type { SimLedger } from '../../chain/simLedger.js'
import type { Random } from '../../kernel/random.js'
import type { World } from '../../world.js'
import type { Action } from '../action.js'
import { UNIT } from '../transfers.js'

const FATES = ['returned', 'lost', 'shuffled'] as const

/** Every kind of trouble. */
const TROUBLES: readonly NodeTrouble['kind'][] = [
  'lags',
  'stands',
  'silent',
  'slow',
  'refuses',
  'loses',
  'errs',
  'forgets',
  'keeps',
  'invents-deposit',
  'hides',
  'invents-height',
  'alters-amounts',
  'invents-fate',
  'fork',
]

/** How long a reorg waits for blocks with something in them, and between two looks. */
const PATIENCE_MS = 6_000
const LOOK_MS = 300

/** The newest blocks leave, with what they did; mostly once they did something. */
export const reorg: Action = {
  name: 'reorg',
  weight: 6,
  faults: FATES.map((fate) => `reorg, transfers ${fate}`),
  run: async (world, random) => {
    const ledgers = world.ledgers.filter(({ kind }) => kind === 'reorging')
    const ledger = random.pick(ledgers)
    const depth = random.int(1, ledger.settle - 1)
    const fate = random.pick(FATES)
    const until = world.kernel.time.now + (random.chance(0.8) ? PATIENCE_MS : 0)
    while (world.kernel.time.now < until && !isFull(ledger, depth)) await world.sleep(LOOK_MS)
    if (world.calm || ledger.head.height <= depth) return
    ledger.reorg(depth, fate)
    world.noteDeposits()
    world.fault(`reorg, transfers ${fate}`, `${depth} blocks of ${ledger.slug} leave, transfers ${fate}`)
  },
}

/** Until hosts have seen a block, and until the service has noted that it left. */
const SEEN_MS = [1_300, 2_000] as const
const NOTED_MS = [2_000, 2_900] as const

/** Blocks with a payment of the service leave once hosts have seen it, and are soon those that count again. */
export const reorgTakenBack: Action = {
  name: 'reorg taken back',
  weight: 0,
  faults: ['reorg taken back'],
  run: async (world, random) => {
    const ledger = world.ledgers.find(({ kind }) => kind === 'reorging')
    if (ledger === undefined) return
    const until = world.kernel.time.now + PATIENCE_MS
    while (world.kernel.time.now < until && depthOfPayment(ledger) !== 1) await world.sleep(LOOK_MS)
    await world.sleep(random.int(...SEEN_MS))
    const depth = depthOfPayment(ledger)
    if (world.calm || depth === null || depth >= ledger.settle) return
    ledger.reorg(depth, random.pick(['returned', 'lost']))
    world.noteDeposits()
    await world.sleep(random.int(...NOTED_MS))
    if (!ledger.takeBack()) return
    world.noteDeposits()
    world.fault('reorg taken back', `${depth} blocks of ${ledger.slug} left and are back`)
  },
}

/** So many blocks hold the newest payment of the service and what followed; null before the first. */
const depthOfPayment = (ledger: SimLedger): number | null => {
  const { address } = ledger.keys.payer
  const newest = ledger.records().findLast(({ transfer }) => transfer.account === address)?.block?.height
  return newest === undefined ? null : ledger.head.height - newest + 1
}

/** Whether the newest blocks did anything. */
const isFull = (ledger: SimLedger, depth: number): boolean =>
  (ledger.records().at(-1)?.block?.height ?? 0) > ledger.head.height - depth

const troubleOf = (world: World, ledger: SimLedger, random: Random): NodeTrouble => {
  const old = world.quotes.filter(({ origin }) => origin === ledger)
  const named = old.length > 0 ? random.pick(old) : null
  const from = random.pick(world.users).address
  // Mostly what would be believed best: just what an order waits for.
  const money =
    named !== null && random.chance(0.7) ? named : { currency: ledger.coin, amount: UNIT * BigInt(random.int(1, 50)) }
  return random.pick<NodeTrouble>([
    { kind: 'lags', blocks: random.int(1, 12) },
    { kind: 'stands' },
    { kind: 'silent' },
    { kind: 'slow', mostMs: random.int(100, 4_000) },
    { kind: 'refuses' },
    { kind: 'loses', what: random.pick(['submits', 'reads', 'all']) },
    { kind: 'errs' },
    { kind: 'forgets' },
    { kind: 'keeps', late: random.chance(0.5) },
    {
      kind: 'invents-deposit',
      deposit: { from, currency: money.currency, amount: money.amount, memo: named?.orderId ?? '' },
    },
    { kind: 'hides', of: 'all' },
    { kind: 'invents-height', ahead: random.int(3, 40) },
    { kind: 'alters-amounts', by: random.pick([UNIT, 300n * UNIT]) },
    { kind: 'invents-fate', status: random.pick(['success', 'failed']) },
    { kind: 'fork', since: Math.max(0, ledger.head.height - random.int(0, 2)) },
  ])
}

/** One node serves badly for a while; one of a chain lies at most. */
export const nodeTrouble: Action = {
  name: 'trouble of a node',
  weight: 12,
  faults: TROUBLES.map((kind) => `node ${kind}`),
  run: async (world, random) => {
    const ledger = random.pick(world.ledgers)
    const node = random.pick(ledger.nodes)
    const trouble = troubleOf(world, ledger, random)
    if (isLie(trouble) && ledger.nodes.some(({ lies }) => lies)) return
    node.trouble = trouble
    world.fault(`node ${trouble.kind}`, `${node.name} ${trouble.kind}`)
    await world.sleep(random.int(500, 20_000))
    if (node.trouble === trouble) node.trouble = { kind: 'none' }
  },
}

/** All nodes of a chain are away. */
export const chainAway: Action = {
  name: 'chain away',
  weight: 1,
  faults: ['chain away'],
  run: async (world, random) => {
    const ledger = random.pick(world.ledgers)
    const trouble: NodeTrouble = { kind: random.pick(['silent', 'refuses']) }
    for (const node of ledger.nodes) node.trouble = trouble
    world.fault('chain away', `all nodes of ${ledger.slug}: ${trouble.kind}`)
    await world.sleep(random.int(1_000, 12_000))
    for (const node of ledger.nodes) if (node.trouble === trouble) node.trouble = { kind: 'none' }
  },
}

/** Blocks take only what pays more, or nothing at all: payments wait, and are raised or cancelled. */
export const scarceBlocks: Action = {
  name: 'scarce blocks',
  weight: 4,
  faults: ['fees rise', 'blocks are empty'],
  run: async (world, random) => {
    const ledger = random.pick(world.ledgers)
    if (random.chance(0.5)) {
      const usual = ledger.fee
      ledger.fee = usual * BigInt(random.int(2, 6))
      world.fault('fees rise', `blocks of ${ledger.slug} take no less than ${ledger.fee}`)
      await world.sleep(random.int(2_000, 50_000))
      ledger.fee = usual
    } else {
      ledger.held = true
      world.fault('blocks are empty', `blocks of ${ledger.slug} take nothing`)
      await world.sleep(random.int(2_000, 50_000))
      ledger.held = false
    }
  },
}

/** Somebody can no longer be paid, until later; mostly whoever is just being paid. */
export const closedAccount: Action = {
  name: 'closed account',
  weight: 4,
  faults: ['closed account'],
  run: async (world, random) => {
    const ledger = random.pick(world.ledgers)
    const { address: payer } = ledger.keys.payer
    const paid = ledger
      .pending()
      .find(({ from, to }) => from === payer && world.users.some(({ address }) => address === to))
    const address = paid !== undefined && random.chance(0.8) ? paid.to : random.pick(world.users).address
    ledger.close(address)
    world.fault('closed account', `an account is closed on ${ledger.slug}`)
    await world.sleep(random.int(1_000, 25_000))
    ledger.open(address)
  },
}
