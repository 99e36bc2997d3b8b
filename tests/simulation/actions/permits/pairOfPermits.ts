import type { Random } from '../../kernel/random.js'
import type { GivenPermit, World } from '../../world.js'
import type { Action } from '../action.js'
import { pay, short } from '../transfers.js'
import { postPermit } from './postPermit.js'
import { newOwner, permitFor } from './signedDeposit.js'

/** How an owner makes a signature void: by the token itself, or by moving the money away. */
const WAYS = ['revokes', 'revokes', 'leaves', 'keeps'] as const
type Way = (typeof WAYS)[number]

/** The second signature is posted so often, with so long between. */
const TRIES = 6
const BETWEEN_MS = 3_000

/** An owner signs for two quotes of one token, posts both and makes them void: caps bound what the operator pays in vain. */
export const pairOfPermits: Action = {
  name: 'pair of signatures',
  weight: 0,
  ofPermits: 3,
  faults: ['two signatures of one owner', 'signature revoked'],
  run: async (world, random) => {
    const origin = random.pick(world.ledgers)
    const owner = { user: newOwner(random), origin }
    const wanted = { conduct: 'once', isCall: false, owner } as const
    const first = await permitFor(world, wanted, random)
    const second = first === null ? null : await permitFor(world, wanted, random)
    if (first === null || second === null) return
    world.fault('two signatures of one owner', `one owner signs for ${short(first.quote.orderId)} and again`)
    const way = random.pick(WAYS)
    const posts = () => [first, second].map((given) => post(world, given, way, random))
    if (random.chance(0.4)) await Promise.all(posts())
    else await post(world, first, way, random)
    await world.sleep(BETWEEN_MS)
    for (let tries = 1; tries <= TRIES && !second.taken; tries += 1) {
      await post(world, second, way, random)
      if (!second.taken) await world.sleep(BETWEEN_MS)
    }
  },
}

/** The signature becomes void at once, or has just become so and was not seen yet. */
const post = async (world: World, given: GivenPermit, way: Way, random: Random): Promise<void> => {
  if (given.taken || world.calm) return
  const before = !given.posted && random.chance(0.5)
  if (before) await makeVoid(world, given, way, random)
  if ((await postPermit(world, given, random)) && !before) await makeVoid(world, given, way, random)
}

const makeVoid = async (world: World, given: GivenPermit, way: Way, random: Random): Promise<void> => {
  const { user, origin, orderId, currency } = given.quote
  if (way === 'revokes') {
    origin.submit(user.revoke(origin, given.permit).raw)
    world.fault('signature revoked', `who signed for ${short(orderId)} makes that void`)
  }
  const amount = origin.balance(user.address, currency)
  if (way !== 'leaves' || amount === 0n) return
  const to = random.pick(world.users).address
  pay(world, origin, user, { to, money: { currency, amount }, memo: '' }, `who signed for ${short(orderId)} leaves`)
  // And has the money for the next one.
  world.kernel.later(world.process, BETWEEN_MS, () => origin.fund(user.address, currency, amount))
}
