import type { Command } from '@causeway/core/plugin'
import type { Random } from '../kernel/random.js'
import type { World } from '../world.js'
import type { Action } from './action.js'
import { requireKnown } from './requireKnown.js'

/** What the audit keeps of whatever an operator does. */
export const REASON = 'looked at in the simulation'

interface Listed {
  readonly deposits: readonly {
    readonly depositId: string
    readonly requestId: string | null
    readonly paidBy: readonly { readonly txId: string }[]
  }[]
}

/** One sitting of an operator at the command line, as a process of its own; what a command refuses is told. */
export const sitting = async (world: World, work: (run: Run) => Promise<void>): Promise<void> => {
  const operator = world.newOperator()
  try {
    await work((name, args, options = {}) =>
      operator.run(async (commands) => printed(commands.get(name), args, options)),
    )
  } catch (error) {
    // What a lost connection ends is as if nobody had come.
    requireKnown(error)
    world.tell(`the operator is refused: ${error instanceof Error ? error.message : ''}`)
  } finally {
    operator.leave()
  }
}

type Run = (name: string, args: readonly string[], options?: Readonly<Record<string, unknown>>) => Promise<string>

const printed = async (
  command: Command | undefined,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<string> => {
  if (command === undefined) throw new Error('There is no such command.')
  const lines: string[] = []
  await command.run({ arguments: args, options, print: (line) => lines.push(line) })
  return lines.join('\n')
}

/** Sends parked money back, or closes it as paid, as what is shown advises. */
export const settleParked: Action = {
  name: 'parked refund',
  weight: 4,
  faults: ['operator'],
  run: (world, random) => sitting(world, (run) => settleOne(world, run, random)),
}

const listed = async (run: Run): Promise<Listed> =>
  JSON.parse(await run('parked list', [], { json: true, limit: '50' }))

const settleOne = async (world: World, run: Run, random: Random): Promise<void> => {
  const { deposits } = await listed(run)
  if (deposits.length === 0) return
  const {
    depositId: id,
    requestId,
    paidBy: [paid],
  } = random.pick(deposits)
  // What only bears the id of an order was not what its payment was for.
  if (paid !== undefined && requestId === null) return
  if (paid === undefined) await run('parked refund', [id], { reason: REASON, yes: true })
  else await close(world, run, id, paid.txId)
  world.fault('operator', `the operator settles parked deposit ${id}`)
}

/** Where others may have been paid by it too, the operator knows from the logs of the lost time which one was; false: another one. */
const close = async (world: World, run: Run, id: string, paidBy: string): Promise<boolean> => {
  const as = { paidBy, reason: REASON, yes: true }
  try {
    await run('parked close', [id], as)
    return true
  } catch (error) {
    const [, others] = (error instanceof Error && error.message.match(/--instead-of ([\d,]+)/)) || []
    if (others === undefined) throw error
    if (!(await wasPaidBy(world, run, id, paidBy))) return false
    await run('parked close', [id], { ...as, insteadOf: others })
    return true
  }
}

/** Whether a payment is of an order that was made for a deposit in any past. */
const wasPaidBy = async ({ checked, ledgers }: World, run: Run, id: string, paidBy: string): Promise<boolean> => {
  const { chainId, txId } = JSON.parse(await run('parked show', [id], { json: true })).deposit
  const paid = ledgers.flatMap((ledger) => ledger.records()).find((record) => record.id === paidBy)
  return [...(checked?.made.get(`${chainId}:${txId}`) ?? [])].some((order) => paid?.transfer.memo.startsWith(order))
}

/** Closes every deposit of which a transaction is known that paid it. */
export const closePaid: Action = {
  name: 'closing of what was paid',
  weight: 1,
  run: (world) =>
    sitting(world, async (run) => {
      const { deposits } = await listed(run)
      for (const {
        depositId: id,
        requestId,
        paidBy: [paid],
      } of deposits) {
        if (paid === undefined || requestId === null) continue
        if (await close(world, run, id, paid.txId)) world.fault('operator', `the operator closes deposit ${id} as paid`)
      }
      await closeHeldBack(world, run)
    }),
}

/** What paid an order otherwise holds back the payout of its deposit. */
const closeHeldBack = async (world: World, run: Run): Promise<void> => {
  for (const { unmatched } of await lanesOf(run)) {
    for (const { txId, deposits } of unmatched)
      for (const id of deposits) {
        try {
          // A refund of an order with several deposits does not say which one it pays back.
          if (deposits.length > 1 && !(await wasPaidBy(world, run, id, txId))) continue
          if (await close(world, run, id, txId))
            world.fault('operator', `the operator closes deposit ${id}, held back, as paid`)
        } catch (error) {
          requireKnown(error)
          world.tell(`the operator cannot close deposit ${id}: ${error instanceof Error ? error.message : ''}`)
        }
      }
  }
}

/** Gives parked money to a quote that waits for some. */
export const assignParked: Action = {
  name: 'parked assign',
  weight: 1,
  run: (world, random) =>
    sitting(world, async (run) => {
      const { deposits } = await listed(run)
      if (deposits.length === 0 || world.quotes.length === 0) return
      await run('parked assign', [random.pick(deposits).depositId], {
        request: random.pick(world.quotes).requestId,
        reason: REASON,
        yes: true,
      })
      world.fault('operator', 'the operator assigns a parked deposit')
    }),
}

/** Refunds a request by its id, whatever its state. */
export const refundRequest: Action = {
  name: 'refund of a request',
  weight: 2,
  run: (world, random) =>
    sitting(world, async (run) => {
      if (world.quotes.length === 0) return
      await run('refund', [random.pick(world.quotes).requestId], { reason: REASON, yes: true })
      world.fault('operator', 'the operator refunds a request')
    }),
}

/** Opens every lane and chain that waits for an operator. */
export const releaseAll: Action = {
  name: 'releases',
  weight: 3,
  run: (world) => sitting(world, (run) => release(world, run)),
}

interface Lane {
  readonly chain: string
  readonly signer: string
  readonly state: string
  readonly unmatched: readonly { readonly txId: string; readonly deposits: readonly string[] }[]
}

const lanesOf = async (run: Run): Promise<readonly Lane[]> => JSON.parse(await run('lanes', [], { json: true })).lanes

const release = async (world: World, run: Run): Promise<void> => {
  for (const { chain, signer } of (await lanesOf(run)).filter(({ state }) => state === 'quarantined')) {
    await run('lanes release', [chain, signer], { all: true, reason: REASON, yes: true })
    world.fault('operator', `the operator releases the lane of ${chain}`)
  }
  const { halts }: { readonly halts: readonly { readonly chain: string }[] } = JSON.parse(
    await run('halts', [], { json: true }),
  )
  for (const { chain } of halts) {
    await run('halts release', [chain], { reason: REASON, yes: true })
    world.fault('operator', `the operator releases ${chain}`)
  }
}
