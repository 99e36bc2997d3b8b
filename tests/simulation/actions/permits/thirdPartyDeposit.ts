import type { SimLedger } from '../../chain/simLedger.js'
import type { SimRecord } from '../../chain/simTransaction.js'
import type { Random } from '../../kernel/random.js'
import type { GivenPermit, World } from '../../world.js'
import type { Action } from '../action.js'
import { pay, short, UNIT } from '../transfers.js'
import { postPermit } from './postPermit.js'
import { newOwner, permitFor } from './signedDeposit.js'

/** The service takes a transaction as failed so many times the settlement depth after its block: it looks twice. */
const LOOKS = 2
/** Virtual milliseconds until hosts have read a block, and no further block has come. */
const READ_MS = [300, 1_200] as const
const PATIENCE_MS = 12_000
const LOOK_MS = 200

/** A third party pays an order whose signature failed on its chain, and the block of that deposit leaves: the request must fail. */
export const thirdPartyDeposit: Action = {
  name: 'deposit of a third party',
  weight: 0,
  faults: ['third party deposit leaves'],
  run: async (world, random) => {
    const origin = world.ledgers.find(({ kind }) => kind === 'reorging')
    const { unsettled } = world.limits
    if (origin === undefined || unsettled === null) return
    // The service decides a deposit above the cap only once it is settled.
    const amount = (unsettled + BigInt(random.int(1, 50))) * UNIT
    const wanted = { conduct: 'once', isCall: false, owner: { user: newOwner(random), origin }, amount } as const
    const given = await permitFor(world, wanted, random)
    if (given === null || !(await postPermit(world, given, random))) return
    const failed = await failOnChain(world, given)
    if (failed === null) return
    // So that this deposit may still leave when the failure is known.
    await untilHeight(world, origin, failed + LOOKS * origin.settle - 2)
    await payAndLeave(world, given, failed, random)
  },
}

/** Bars the owner and returns the height of the block in which its deposit failed; null where the deposit did not fail. */
const failOnChain = async (world: World, { quote }: GivenPermit): Promise<number | null> => {
  const { origin, orderId, user } = quote
  if (world.calm) return null
  origin.close(user.address)
  world.tell(`the owner who signed for ${short(orderId)} is barred on ${origin.slug}`)
  const record = await untilRecord(world, origin, ({ transfer }) => transfer.permit?.orderId === orderId)
  origin.open(user.address)
  return record?.status === 'failed' ? (record.block?.height ?? null) : null
}

const payAndLeave = async (
  world: World,
  { quote: { origin, orderId, currency, amount } }: GivenPermit,
  failed: number,
  random: Random,
): Promise<void> => {
  const payment = { money: { currency, amount }, memo: orderId }
  pay(world, origin, random.pick(world.users), payment, `a third party pays for ${short(orderId)}`)
  const paid = await untilRecord(
    world,
    origin,
    ({ transfer }) => transfer.permit === undefined && transfer.memo === orderId,
  )
  const height = paid?.block?.height
  if (height === undefined) return
  await untilHeight(world, origin, failed + LOOKS * origin.settle + 1)
  await world.sleep(random.int(...READ_MS))
  const depth = origin.head.height - height + 1
  if (world.calm || depth < 1 || depth >= origin.settle) return
  origin.reorg(depth, random.pick(['lost', 'lost', 'returned']))
  world.noteDeposits()
  world.fault(
    'third party deposit leaves',
    `${depth} blocks of ${origin.slug} leave, with the deposit of a third party`,
  )
}

/** Returns the first record of a kind; null where none comes in time. */
const untilRecord = async (
  world: World,
  ledger: SimLedger,
  isWanted: (record: SimRecord) => boolean,
): Promise<SimRecord | null> => {
  const until = world.kernel.time.now + PATIENCE_MS
  for (;;) {
    const found = ledger.records().find(isWanted)
    if (found !== undefined) return found
    if (world.calm || world.kernel.time.now > until) return null
    await world.sleep(LOOK_MS)
  }
}

const untilHeight = async (world: World, ledger: SimLedger, height: number): Promise<void> => {
  while (!world.calm && ledger.head.height < height) await world.sleep(LOOK_MS)
}
